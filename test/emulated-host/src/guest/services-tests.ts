import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startContainer } from '@gantry/host';
import { eventually } from '@gantry/test-nodes';
import Docker from 'dockerode';
import { needs, slowDeadlines } from './daemon-under-test.js';
import { run } from './run.js';
import { systemctl } from './systemctl.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const program = path.join(root, 'gantry/bin/gantryd.js');
const configFile = '/data/gantry-service/gantry.json';
const dropIn = '/etc/systemd/system/gantry.service.d/slow.conf';
const socket = '/run/gantry.sock';
const directory = path.dirname(configFile);
const service = 'gantry.service';

/** Installs this checkout as a service, with a configuration of its own. */
async function install(): Promise<void> {
  await mkdir(directory, { recursive: true });
  const configuration = {
    dataRoot: path.join(directory, 'data'),
    execRoot: path.join(directory, 'run'),
    startTimeoutSeconds: 300,
    drivers: {
      'network/bridge': { defaultBridge: 'gtservice', table: 'gtservice' },
      'runtime/runc': { deadlines: slowDeadlines },
    },
  };
  await writeFile(configFile, JSON.stringify(configuration));
  // A slow machine holds the event loop longer.
  await mkdir(path.dirname(dropIn), { recursive: true });
  await writeFile(dropIn, '[Service]\nWatchdogSec=300\n');
  gantryd('install', '--no-start');
}

const gantryd = (...args: readonly string[]): string => run(process.execPath, program, ...args, '--config', configFile);

async function uninstall(): Promise<void> {
  gantryd('uninstall');
  await rm(path.dirname(dropIn), { recursive: true });
  systemctl('daemon-reload');
}

const property = (name: string): string => systemctl('show', service, '-p', name, '--value');

function groupId(name: string): number | undefined {
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  return line === undefined ? undefined : Number(line.split(':')[2]);
}

/** The engine as a service of systemd, as it installs itself. */
export function servicesTests(): void {
  test(
    'a request starts the service, which is ready, reloads, and is restarted with its containers',
    needs.systemd,
    async () => {
      await install();
      try {
        assert.match(gantryd('install', '--no-start'), /^(as it should be: .*\n?)+$/, 'all is there');
        systemctl('start', 'gantry.socket');
        assert.equal((await stat(socket)).gid, groupId('gantry'));
        assert.equal(property('ActiveState'), 'inactive');
        const client = new Docker({ socketPath: socket, version: 'v1.24' });
        assert.equal((await client.ping()).toString(), 'OK');
        await eventually('the service is ready', async () => property('ActiveState') === 'active');
        assert.equal(property('StatusText'), 'Serving clients');
        const container = await startContainer(client, {
          Cmd: ['sh', '-c', 'echo to the journal; exec sleep 1000'],
          HostConfig: { NetworkMode: 'none', LogConfig: { Type: 'journald', Config: {} } },
        });
        const { Pid } = (await container.inspect()).State;
        systemctl('reload', service);
        await eventually('the service has reloaded', async () => property('ActiveState') === 'active');
        const before = property('MainPID');
        systemctl('restart', service);
        assert.notEqual(property('MainPID'), before);
        // The connections of the client have ended with the daemon.
        await eventually('an answer after the restart', () => client.ping().catch(() => undefined));
        const { State } = await container.inspect();
        assert.deepEqual([State.Running, State.Pid], [true, Pid]);
        // The daemon may have been restarted before it had written the line, and writes it then.
        await eventually('the line in the journal', async () => {
          const log = (await container.logs({ stdout: true, stderr: true })) as unknown as Buffer;
          return log.toString().includes('to the journal');
        });
        await container.remove({ force: true });
        systemctl('stop', 'gantry.socket', service);
        assert.equal(property('Result'), 'success');
      } finally {
        await uninstall();
      }
      assert.equal(property('LoadState'), 'not-found');
      assert.equal(groupId('gantry'), undefined);
    },
  );
}
