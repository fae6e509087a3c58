import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import Docker from 'dockerode';
import { removeCgroups, untilAnswering } from './testing/daemon.js';

const mainOf = (example: string): string =>
  fileURLToPath(new URL(`../../../examples/${example}/dist/main.js`, import.meta.url));

/** Starts an example, runs a container in it, and stops it by signal. */
async function runsContainer(t: ExecutionContext, example: string, argument: string, directory: string): Promise<void> {
  const socket = path.join(directory, 'gantry.sock');
  const child = spawn(process.execPath, [mainOf(example), argument], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'exit');
  try {
    await untilAnswering(socket, child, () => output);
    const client = new Docker({ socketPath: socket, version: 'v1.24' });
    const container = await client.createContainer({
      Image: 'busybox',
      Cmd: ['sh', '-c', 'exit 5'],
      HostConfig: { NetworkMode: 'none' },
    });
    await container.start();
    t.is((await container.wait()).StatusCode, 5);
    await container.remove();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  t.is(child.exitCode, 0, output);
  await rm(directory, { recursive: true });
}

test('the minimal daemon runs a container', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-minimal-'));
  await runsContainer(t, 'minimal-daemon', directory, directory);
});

test('the full daemon runs a container', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-full-'));
  const name = `gf${process.pid.toString(36)}`;
  t.teardown(() => removeCgroups(name));
  const file = path.join(directory, 'gantry.json');
  await writeFile(
    file,
    JSON.stringify({
      dataRoot: path.join(directory, 'data'),
      execRoot: path.join(directory, 'run'),
      drivers: { 'network/bridge': { defaultBridge: name, table: name }, 'runtime/runc': { cgroupParent: `/${name}` } },
      plugins: {
        'engine-api': { hosts: [`unix://${path.join(directory, 'gantry.sock')}`] },
        containers: { cgroupParent: `/${name}` },
      },
    }),
  );
  await runsContainer(t, 'full-daemon', file, directory);
});
