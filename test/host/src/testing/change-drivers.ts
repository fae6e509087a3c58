import { readFile, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Daemon, eventually } from '@gantry/test-nodes';

/** Asks the daemon for a change of its drivers, as `gantryd driver` does. */
export async function changeDrivers(daemon: Daemon, request: object): Promise<Record<string, unknown>> {
  const socket = createConnection(path.join(daemon.directory, 'run/control.sock'));
  socket.write(`${JSON.stringify({ command: 'driver', ...request })}\n`);
  return JSON.parse((await text(socket)).trim());
}

/** Changes the packages that the configuration file names, and has the daemon read it. Resolves to what it logs of that. */
export async function reloadPackages(
  daemon: Daemon,
  edit: (extraPackages: readonly string[]) => readonly string[],
): Promise<Record<string, unknown>> {
  const file = path.join(daemon.directory, 'gantry.json');
  const configuration = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...configuration, extraPackages: edit(configuration.extraPackages) }));
  const begin = daemon.log().length;
  process.kill(daemon.pid, 'SIGHUP');
  const line = await eventually('the configuration is reloaded', () => {
    const lines = daemon.log().slice(begin).split('\n').slice(0, -1);
    return lines.find((each) => /"event":"daemon\.(reloaded|reload-failed)"/.test(each));
  });
  return JSON.parse(line);
}
