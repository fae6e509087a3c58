import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Daemon, eventually, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import Docker from 'dockerode';
import { filesBelow } from './testing/host-state.js';
import { runIn, startContainer } from './testing/run-in.js';

const run = promisify(execFile);

async function volumeNames(client: Docker, filters: Record<string, string[]> = {}): Promise<readonly string[]> {
  const { Volumes } = await client.listVolumes({ filters: JSON.stringify(filters) });
  return (Volumes ?? []).map(({ Name }) => Name);
}

/** A volume of a test's own, which goes with the test's daemon. */
async function volume(client: Docker, Name: string, DriverOpts: Record<string, string> = {}): Promise<string> {
  await client.createVolume({ Name, DriverOpts } as never);
  return (await client.getVolume(Name).inspect()).Mountpoint;
}

test('a new volume gets the image content at its path, with owners and modes; nocopy leaves it empty', async (t) => {
  const { client } = await startDaemon(t);
  const first = await startContainer(client, { HostConfig: { Binds: ['filled:/etc'] } });
  await runIn(first, 'echo mine > /etc/own; chown 5:6 /etc/own; chmod 2640 /etc/own');
  const plain = await startContainer(client);
  const files = async (container: Docker.Container) =>
    (await runIn(container, 'cd /etc; stat -c "%n %u %g %a" * | grep -v -e own -e ^host -e ^resolv')).output;
  t.is(await files(first), await files(plain));
  const other = await startContainer(client, { HostConfig: { Binds: ['filled:/etc'] } });
  t.is((await runIn(other, 'stat -c "%u %g %a" /etc/own; cat /etc/own')).output, '5 6 2640\nmine\n');
  const bare = await startContainer(client, { HostConfig: { Binds: ['bare:/etc:nocopy'] } });
  t.notRegex((await runIn(bare, 'ls /etc')).output, /passwd|group/);
  await volume(client, 'quick', { type: 'tmpfs', device: 'tmpfs', o: 'uid=9,mode=700' });
  const quick = await startContainer(client, { HostConfig: { Binds: ['quick:/etc'] } });
  t.is((await runIn(quick, 'stat -c "%u %a" /etc')).output, '9 700\n', 'what forgets is left as its options say');
});

test('mount options are applied once for all users, until the last user is gone', async (t) => {
  const daemon = await startDaemon(t);
  const { client, directory } = daemon;
  const place = await volume(client, 'small', { type: 'tmpfs', device: 'tmpfs', o: 'size=1m,uid=7' });
  await writeFile(path.join(directory, 'seen'), 'seen\n');
  await volume(client, 'bound', { type: 'none', o: 'bind,ro', device: directory });
  const HostConfig = { Binds: ['small:/small', 'bound:/bound'] };
  const one = await startContainer(client, { HostConfig });
  const other = await startContainer(client, { HostConfig });
  t.regex((await runIn(one, 'mount')).output, /tmpfs on \/small type tmpfs \(.*size=1024k.*uid=7/);
  await runIn(one, 'echo shared > /small/file');
  t.is((await runIn(other, 'cat /small/file /bound/seen')).output, 'shared\nseen\n');
  t.not((await runIn(other, 'touch /bound/new')).code, 0);
  await daemon.crash();
  await daemon.restart();
  await one.remove({ force: true });
  t.is((await runIn(other, 'cat /small/file')).output, 'shared\n');
  t.is((await stat(path.join(place, 'file'))).size, 7);
  await other.remove({ force: true });
  await t.throwsAsync(stat(path.join(place, 'file')), { code: 'ENOENT' });
  for (const name of ['small', 'bound']) await client.getVolume(name).remove();
  t.true((await stat(path.join(directory, 'seen'))).isFile());
});

test('a mount that fails makes the start fail, is named, and leaves nothing', async (t) => {
  const { client } = await startDaemon(t);
  await volume(client, 'gone', { type: 'none', o: 'bind', device: '/nosuch/directory' });
  await volume(client, 'far', { type: 'nfs', o: 'addr=127.0.0.1,nolock,soft,timeo=1,retrans=0', device: ':/nosuch' });
  for (const name of ['gone', 'far']) {
    const container = await client.createContainer({ Image: 'busybox', HostConfig: { Binds: [`${name}:/v`] } });
    const error = await t.throwsAsync(container.start());
    t.regex(error?.message ?? '', /nosuch/, name);
    t.is((await container.inspect()).State.Status, 'created');
    await container.remove();
    await client.getVolume(name).remove();
  }
  const bad: Promise<unknown> = client.createVolume({ Name: 'bad', DriverOpts: { colour: 'red' } });
  await t.throwsAsync(bad, { message: /colour/ });
  t.deepEqual(await volumeNames(client), []);
});

test('a volume in use is not removed and names its users; anonymous volumes are removed with their container on request', async (t) => {
  const { client } = await startDaemon(t);
  const user = await client.createContainer({
    Image: 'busybox',
    Volumes: { '/anonymous': {} },
    HostConfig: { Binds: ['named:/n'] },
  });
  const error = await t.throwsAsync(client.getVolume('named').remove());
  t.true(error?.message.includes(`volume is in use - [${user.id}]`), error?.message);
  const heir = await startContainer(client, { HostConfig: { VolumesFrom: [`${user.id}:ro`] } });
  t.not((await runIn(heir, 'touch /n/file')).code, 0);
  t.is((await volumeNames(client, { dangling: ['false'] })).length, 2);
  await heir.remove({ force: true, v: true });
  await user.remove({ v: true });
  t.deepEqual(await volumeNames(client, {}), ['named']);
  t.deepEqual(await volumeNames(client, { dangling: ['true'], name: ['ame'] }), ['named']);
  await client.getVolume('named').remove();
});

test('a volume driver cannot leave the configuration while a container uses it, and its volumes stay listed', async (t) => {
  const daemon = await startDaemon(t);
  const { client, directory } = daemon;
  const file = path.join(directory, 'gantry.json');
  const own = JSON.parse(await readFile(file, 'utf8'));
  const example = fileURLToPath(new URL('../../../examples/driver-volume-tmpfs', import.meta.url));
  const configure = (...extraPackages: string[]) => writeFile(file, JSON.stringify({ ...own, extraPackages }));
  await configure(example);
  await daemon.restart();
  await client.createVolume({ Name: 'data', Driver: 'tmpfs' });
  const container = await startContainer(client, { HostConfig: { Binds: ['data:/data'] } });
  await configure();
  await t.throwsAsync(daemon.restart(), {
    message: new RegExp(`lost drivers that are in use: volume/tmpfs, by volume data of container ${container.id}`),
  });
  await configure(example);
  await daemon.restart();
  t.true((await container.inspect()).State.Running);
  await container.remove({ force: true });
  await configure();
  await daemon.restart();
  t.deepEqual(await volumeNames(client), ['data']);
  t.like(await client.getVolume('data').inspect(), { Status: { Unavailable: 'volume driver tmpfs: not found' } });
  // As a driver leaves it that died.
  const left = path.join(directory, 'data/drivers/volume-tmpfs/left');
  await mkdir(left);
  await run('mount', ['-t', 'tmpfs', 'tmpfs', left]);
  const { code, said } = await daemon.command('check');
  await run('umount', [left]);
  t.is(code, 1);
  t.regex(said, /mount +\S+volume-tmpfs\S* .*mounted by the driver volume-tmpfs, which is not running/);
  await configure(example);
  await daemon.restart();
  await client.getVolume('data').remove();
});

/** Clients of 1.24 have no `Mounts`. */
async function startWith(daemon: Daemon, mount: object): Promise<Docker.Container> {
  const client = new Docker({ socketPath: daemon.socket, version: 'v1.51' });
  const Mounts = [{ Target: '/m', ...mount }] as never;
  const container = await client.createContainer({ Image: 'busybox', Cmd: ['sleep', '300'], HostConfig: { Mounts } });
  await container.start();
  return container;
}

test('a part of a volume is mounted, also after a crash, and none that a link leads out of it', async (t) => {
  const daemon = await startDaemon(t);
  const { client, directory } = daemon;
  const place = await volume(client, 'data');
  await mkdir(path.join(place, 'a/b'), { recursive: true });
  await symlink(directory, path.join(place, 'out'));
  const part = (Subpath: string) => startWith(daemon, { Source: 'data', VolumeOptions: { Subpath } });
  const container = await part('a/b');
  await runIn(container, 'echo inside > /m/file');
  t.is(await readFile(path.join(place, 'a/b/file'), 'utf8'), 'inside\n');
  await writeFile(path.join(directory, 'local'), 'copied\n');
  await container.putArchive(await archiveOfFile(path.join(directory, 'local')), { path: '/m' });
  t.is(await readFile(path.join(place, 'a/b/local'), 'utf8'), 'copied\n');
  t.like((await container.inspect()).Mounts, [{ Type: 'volume', Source: place, Destination: '/m' }]);
  t.deepEqual(await pinsOf(daemon), []);
  await t.throwsAsync(part('out'), { message: /path concatenation escapes the base directory/ });
  await t.throwsAsync(part('nosuch'), { message: /cannot access path .*nosuch/ });
  await daemon.crash();
  await daemon.restart();
  await container.restart({ t: 0 });
  t.is((await runIn(container, 'cat /m/file')).output, 'inside\n');
  t.deepEqual(await pinsOf(daemon), []);
});

test('a crash while a part of a volume is mounted leaves it mounted for the next daemon to unmount', async (t) => {
  const daemon = await startDaemon(t);
  const place = await volume(daemon.client, 'data');
  await mkdir(path.join(place, 'a'));
  await daemon.restart({ crashAt: 'container.start.mounted' });
  await t.throwsAsync(startWith(daemon, { Source: 'data', VolumeOptions: { Subpath: 'a' } }));
  await daemon.died();
  t.is((await pinsOf(daemon)).length, 1);
  await daemon.restart();
  await eventually('it is unmounted', async () => (await pinsOf(daemon)).length === 0);
});

test('a bind that is not recursive lacks what is mounted below its source', async (t) => {
  const daemon = await startDaemon(t);
  const source = path.join(daemon.directory, 'source');
  await mkdir(path.join(source, 'below'), { recursive: true });
  await run('mount', ['-t', 'tmpfs', 'below', path.join(source, 'below')]);
  t.teardown(() => run('umount', [path.join(source, 'below')]));
  await writeFile(path.join(source, 'below/file'), '');
  const list = async (BindOptions: object) =>
    (await runIn(await startWith(daemon, { Type: 'bind', Source: source, BindOptions }), 'ls /m/below')).output;
  t.is(await list({ NonRecursive: true }), '');
  t.is(await list({}), 'file\n');
});

test('the files of an image are mounted read-only, and the image stays while a container has them', async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const archive = await archiveOfFile(fileURLToPath(import.meta.url));
  const imported = await client.importImage(Readable.from([archive]), { repo: 'files' } as never);
  await buffer(imported as never);
  const container = await startWith(daemon, { Type: 'image', Source: 'files' });
  const name = path.basename(fileURLToPath(import.meta.url));
  t.is((await runIn(container, 'ls /m')).output, `${name}\n`);
  t.regex((await runIn(container, 'touch /m/new 2>&1')).output, /Read-only file system/);
  t.like((await container.inspect()).Mounts, [{ Type: 'image', Name: 'files', RW: false }]);
  await t.throwsAsync(client.getImage('files').remove(), { message: /conflict/i });
  const file = await startWith(daemon, { Type: 'image', Source: 'files', ImageOptions: { Subpath: name } });
  t.regex((await runIn(file, 'head -1 /m')).output, /^import/);
  await daemon.crash();
  await daemon.restart();
  t.is((await runIn(container, 'ls /m')).output, `${name}\n`);
  await container.restart({ t: 0 });
  t.is((await runIn(container, 'ls /m')).output, `${name}\n`);
  await t.throwsAsync(startWith(daemon, { Type: 'image', Source: 'nosuch' }), { message: /No such image: nosuch/ });
  for (const user of [container, file]) await user.remove({ force: true });
  await client.getImage('files').remove();
  const left = await filesBelow(path.join(daemon.directory, 'data'), 5);
  t.deepEqual(
    left.filter((place) => place.includes('-image-')),
    [],
  );
});

/** The parts of mounts that the daemon has mounted for a runtime. */
const pinsOf = ({ directory }: Daemon) => readdir(path.join(directory, 'run/plugins/containers/pins')).catch(() => []);

async function archiveOfFile(file: string): Promise<Buffer> {
  const { stdout } = await run('tar', ['-C', path.dirname(file), '-c', path.basename(file)], {
    encoding: 'buffer',
    maxBuffer: 2 ** 24,
  });
  return stdout;
}
