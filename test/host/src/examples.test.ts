import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, removeCgroups, untilAnswering } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import Docker from 'dockerode';

const mainOf = (example: string): string =>
  fileURLToPath(new URL(`../../../examples/${example}/dist/main.js`, import.meta.url));

/** Starts an example, runs a container in it, and stops it by signal. */
async function runsContainer(
  t: ExecutionContext,
  example: string,
  argument: string,
  directory: string,
  alsoDoes: (client: Docker) => Promise<void> = async () => undefined,
): Promise<void> {
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
    await alsoDoes(client);
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

/** A configuration of its own for the full daemon. */
async function fullDaemon(t: ExecutionContext, more: object) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-full-'));
  const name = `gf${process.pid.toString(36)}${path.basename(directory).slice(-1)}`;
  t.teardown(() => removeCgroups(name));
  const file = path.join(directory, 'gantry.json');
  await writeFile(
    file,
    JSON.stringify({
      dataRoot: path.join(directory, 'data'),
      execRoot: path.join(directory, 'run'),
      drivers: {
        'network/bridge': { defaultBridge: name, table: name },
        'network/ipvlan': { owner: name },
        'network/macvlan': { owner: name },
        'network/audited': { table: name },
        'runtime/runc': { cgroupParent: `/${name}` },
      },
      plugins: {
        'engine-api': { hosts: [`unix://${path.join(directory, 'gantry.sock')}`] },
        'external-plugins': { socketDirectories: [], specDirectories: [] },
        containers: { cgroupParent: `/${name}` },
      },
      ...more,
    }),
  );
  return { directory, file };
}

const thirdParty = ['driver-log-text', 'driver-volume-tmpfs', 'driver-network-audited'].map(
  (name) => `@gantry/${name}`,
);

test('the full daemon runs a container, and third-party drivers with a line of configuration each', async (t) => {
  const broken = path.join(tmpdir(), `gantry-broken-${process.pid}`);
  t.teardown(() => rm(broken, { recursive: true, force: true }));
  await mkdir(broken);
  await writeFile(path.join(broken, 'package.json'), '{"name":"broken","version":"1.0.0"}');
  const { directory, file } = await fullDaemon(t, {
    extraPackages: [...thirdParty, { package: broken, optional: true }],
  });
  await runsContainer(t, 'full-daemon', file, directory, async (client) => {
    await client.createVolume({ Name: 'scratch', Driver: 'tmpfs', DriverOpts: { size: '8m' } });
    const network = await client.createNetwork({ Name: 'watched', Driver: 'audited' });
    const container = await client.createContainer({
      Image: 'busybox',
      Cmd: ['sh', '-c', 'df -h /scratch; ip -4 addr show eth0'],
      HostConfig: {
        Binds: ['scratch:/scratch'],
        NetworkMode: 'watched',
        LogConfig: { Type: 'text', Config: { times: 'true' } },
      },
    });
    await container.start();
    await container.wait();
    const { LogPath } = await container.inspect();
    const log = await eventually('the log is written', async () => {
      const text = await readFile(LogPath, 'utf8').catch(() => '');
      return text.includes('inet ') && text;
    });
    t.regex(log, /^\d{4}-\d\d-\d\dT\S+Z tmpfs +8\.0M [\s\S]*inet \d/m);
    await container.remove();
    await network.remove();
    await client.getVolume('scratch').remove();
  });
});
