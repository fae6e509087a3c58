import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, startContainer } from '@gantry/host';
import Docker from 'dockerode';
import { needs, slowDeadlines } from './daemon-under-test.js';
import { systemctl } from './systemctl.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const units = path.join(root, 'plugins/service-manager/units');
const installed = '/etc/systemd/system';
const socket = '/run/gantry-service.sock';
const directory = '/data/gantry-service';
const service = 'gantry.service';

/** Installs the project's own units, for this checkout and a configuration of its own. */
async function installUnits(): Promise<void> {
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
  await writeFile(path.join(directory, 'gantry.json'), JSON.stringify(configuration));
  const replaced = {
    '/usr/bin/node /opt/gantry/gantry/bin/gantryd.js': `${process.execPath} ${root}gantry/bin/gantryd.js --config ${directory}/gantry.json`,
    // A slow machine holds the event loop longer.
    'WatchdogSec=60': 'WatchdogSec=300',
    '/run/gantry.sock': socket,
  };
  for (const name of ['gantry.service', 'gantry.socket']) {
    let text = await readFile(path.join(units, name), 'utf8');
    for (const [from, to] of Object.entries(replaced)) text = text.replace(from, to);
    await writeFile(path.join(installed, name), text);
  }
  systemctl('daemon-reload');
}

async function removeUnits(): Promise<void> {
  systemctl('stop', 'gantry.socket', service);
  for (const name of ['gantry.service', 'gantry.socket']) await rm(path.join(installed, name), { force: true });
  systemctl('daemon-reload');
}

const property = (name: string): string => systemctl('show', service, '-p', name, '--value');

/** The engine as a service of systemd, by the units it comes with. */
export function servicesTests(): void {
  test(
    'a request starts the service, which is ready, reloads, and is restarted with its containers',
    needs.systemd,
    async () => {
      await installUnits();
      try {
        systemctl('start', 'gantry.socket');
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
        await removeUnits();
      }
    },
  );
}
