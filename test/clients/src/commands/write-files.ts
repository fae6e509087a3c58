import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { programs } from '../testing/client-host.js';

const pluginConfiguration = {
  Description: 'a plugin',
  Documentation: 'none',
  Entrypoint: ['/program'],
  WorkDir: '/',
  Interface: { Types: ['docker.dummy/1.0'], Socket: 'program.sock' },
  Network: { Type: 'none' },
  Env: [{ Name: 'DEBUG', Description: '', Settable: ['value'], Value: '0' }],
  Linux: { Capabilities: [], AllowAllDevices: false, Devices: [] },
  Mounts: [],
};

/** The files that the commands use. The program of the plugin cannot be executed: it is enabled in vain. */
export async function writeFiles(directory: string): Promise<void> {
  await mkdir(path.join(directory, 'plugin/rootfs'), { recursive: true });
  await writeFile(path.join(directory, 'plugin/config.json'), JSON.stringify(pluginConfiguration));
  await writeFile(path.join(directory, 'plugin/rootfs/program'), '');
  await writeFile(path.join(directory, 'text'), 'text\n');
  await copyFile(path.join(programs, 'commands/stack.yml'), path.join(directory, 'stack.yml'));
}
