import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Daemon } from '@gantry/test-nodes';
import test from 'ava';
import Docker from 'dockerode';
import { ask } from './testing/ask.js';
import { pushExamplePlugin } from './testing/push-example-plugin.js';
import { runIn, startContainer } from './testing/run-in.js';
import { firstId, startRemapped } from './testing/start-remapped.js';
import { startStubRegistry } from './testing/stub-registry.js';

const execute = promisify(execFile);

/** Rejects with what the command says on stderr. */
const asRootOfContainers = (command: readonly string[]) =>
  execute('setpriv', [`--reuid=${firstId}`, `--regid=${firstId}`, '--clear-groups', ...command]);

const newest = ({ socket }: Daemon): Docker => new Docker({ socketPath: socket, version: 'v1.51' });

test('a remapped container writes to a part of a volume', async (t) => {
  const daemon = await startRemapped(t);
  const { client } = daemon;
  await client.createVolume({ Name: 'data' });
  const { Mountpoint } = await client.getVolume('data').inspect();
  await mkdir(path.join(Mountpoint, 'a/b'), { recursive: true });
  await chown(path.join(Mountpoint, 'a/b'), firstId, firstId);
  const mount = { Type: 'volume', Target: '/m', Source: 'data', VolumeOptions: { Subpath: 'a/b' } };
  const container = await startContainer(newest(daemon), { HostConfig: { Mounts: [mount as never] } });
  t.is((await runIn(container, 'stat -c %u:%g /m; echo inside > /m/file && cat /m/file')).output, '0:0\ninside\n');
  t.is(statSync(path.join(Mountpoint, 'a/b/file')).uid, firstId);
  // Before Linux 5.12 a runtime opens what it binds as the root of the container.
  const { HostnamePath, HostsPath, ResolvConfPath } = await container.inspect();
  for (const file of [HostnamePath, HostsPath, ResolvConfPath]) {
    await t.notThrowsAsync(asRootOfContainers(['stat', file]));
  }
  await container.remove({ force: true });
  await client.getVolume('data').remove();
});

test('a remapped container has the devices, variables and files that a vendor describes', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-cdi-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await chmod(directory, 0o755);
  const daemon = await startRemapped(t, { plugins: { containers: { cdiSpecDirectories: [directory] } } });
  const containerEdits = {
    env: ['VENDOR=yes'],
    deviceNodes: [{ path: '/dev/vendor0', hostPath: '/dev/zero' }],
    mounts: [{ hostPath: directory, containerPath: '/vendor', options: ['ro', 'bind'] }],
  };
  const spec = { cdiVersion: '0.6.0', kind: 'vendor.com/dev', devices: [{ name: 'zero', containerEdits }] };
  await writeFile(path.join(directory, 'vendor.json'), JSON.stringify(spec));
  const DeviceRequests = [{ Driver: 'cdi', DeviceIDs: ['vendor.com/dev=zero'] }];
  const container = await startContainer(newest(daemon), { HostConfig: { DeviceRequests } as never });
  const shown = await runIn(container, 'head -c 4 /dev/vendor0 | wc -c; ls /vendor; tr "\\0" "\\n" < /proc/1/environ');
  t.regex(shown.output, /^4\nvendor\.json\n[\s\S]*VENDOR=yes/);
  await container.remove({ force: true });
});

test('remapped containers run on the storage driver vfs, with the owners of their image', async (t) => {
  const { client } = await startRemapped(t, { defaults: { storage: ['vfs'] } });
  t.is((await client.info()).Driver, 'vfs');
  const container = await startContainer(client);
  const { output } = await runIn(
    container,
    'stat -c %u:%g / /etc/passwd; touch /new; chown 5:6 /new; stat -c %u:%g /new',
  );
  t.is(output, '0:0\n0:0\n5:6\n');
  await container.commit({ repo: 'committed' });
  const next = await startContainer(client, { Image: 'committed' });
  t.is((await runIn(next, 'stat -c %u:%g /new')).output, '5:6\n');
});

test('a remapped container has a network and a log of a managed plugin, and a volume with the owner the plugin gave it', async (t) => {
  const daemon = await startRemapped(t);
  const plugin = await pushExamplePlugin(await startStubRegistry(t));
  const { client } = daemon;
  await ask(daemon, 'POST', `/plugins/pull?name=${plugin}`);
  await ask(daemon, 'POST', `/plugins/${plugin}/enable`);
  await client.createVolume({ Name: 'data', Driver: plugin });
  const network = await client.createNetwork({ Name: 'lan', Driver: plugin });
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'stat -c owner:%u /data; ip -4 addr show eth0'],
    HostConfig: { Binds: ['data:/data'], NetworkMode: 'lan', LogConfig: { Type: plugin, Config: {} } },
  });
  await container.start();
  await container.wait();
  t.regex((await container.logs({ stdout: true, stderr: true })).toString(), /owner:65534[\s\S]*inet \d/);
  await container.remove({ force: true });
  await network.remove();
  await client.getVolume('data').remove();
  await ask(daemon, 'POST', `/plugins/${plugin}/disable`);
  await ask(daemon, 'DELETE', `/plugins/${plugin}`);
});
