import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import archiveDriver from '@gantry/archive-worker-threads';
import { hostileArchives } from '@gantry/conformance';
import { startContainers, type TestContainers } from '@gantry/containers/testing';
import { ArchiveDrivers } from '@gantry/core/contracts';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import files from './index.js';
import type { PathStatHeader } from './path-stat.js';

interface Fixture extends TestContainers {
  /** A container with a few files. */
  readonly id: string;
  readonly root: string;
  /** A directory of the test's own. */
  readonly scratch: string;
  stat(where: string): Promise<PathStatHeader>;
  /** `status message` of what went wrong. */
  fault(method: string, where: string, options?: { readonly body?: unknown }): Promise<string>;
  /** The files of a tar. */
  unpack(bytes: Buffer): Promise<string>;
  /** A tar of files by name; a name that ends with a slash is a directory. */
  pack(files: Readonly<Record<string, string>>): Promise<Buffer>;
}

const running = ['sleep', '300'];
const quoted = (where: string): string => `archive?path=${encodeURIComponent(where)}`;

async function startFixture(t: ExecutionContext, body: object = {}): Promise<Fixture> {
  const own = await startContainers(t, { archive: archiveDriver, use: [files] });
  const scratch = mkdtempSync(path.join(tmpdir(), 'gantry-files-'));
  const archive = own.engine.kernel.drivers(ArchiveDrivers).get();
  t.teardown(() => rmSync(scratch, { recursive: true }));
  const id = await own.create({ Cmd: running, ...body }, 'box');
  const root = own.host.rootOf(id);
  mkdirSync(path.join(root, 'd/sub'), { recursive: true });
  mkdirSync(path.join(root, 'etc'));
  writeFileSync(path.join(root, 'd/a'), 'aa\n');
  chmodSync(path.join(root, 'd/a'), 0o4640);
  writeFileSync(path.join(root, 'd/sub/b'), 'bb\n');
  symlinkSync('/d', path.join(root, 'link'));
  symlinkSync('nowhere', path.join(root, 'broken'));
  symlinkSync(scratch, path.join(root, 'escape'));
  writeFileSync(path.join(scratch, 'secret'), 'secret');
  let made = 0;
  const fresh = () => {
    const directory = path.join(scratch, `tree${made++}`);
    mkdirSync(directory);
    return directory;
  };
  return {
    ...own,
    id,
    root,
    scratch,
    async stat(where) {
      const answer = await own.engine.ask('HEAD', `/containers/box/${quoted(where)}`);
      if (answer.status !== 200) throw new Error(String(answer.status));
      return JSON.parse(Buffer.from(String(answer.headers['x-engine-container-path-stat']), 'base64').toString());
    },
    async fault(method, where, options = {}) {
      const answer = await own.engine.ask(method, `/containers/box/${quoted(where)}`, options);
      return `${answer.status} ${answer.json().message}`;
    },
    async unpack(bytes) {
      const directory = fresh();
      await archive.extract({ stream: Readable.from([bytes], { objectMode: false }) }, directory, '/');
      return directory;
    },
    async pack(files) {
      const directory = fresh();
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(path.join(directory, path.dirname(name)), { recursive: true });
        if (name.endsWith('/')) mkdirSync(path.join(directory, name), { recursive: true });
        else writeFileSync(path.join(directory, name), content);
      }
      return buffer(archive.packTree(directory, '/', { name: '' }));
    },
  };
}

test('a path is described in a header, following symbolic links on the way', async (t) => {
  const { stat } = await startFixture(t);
  t.like(await stat('/d/a'), { name: 'a', size: 3, mode: 0o640 + 2 ** 23, linkTarget: '' });
  t.regex((await stat('/d/a')).mtime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  t.like(await stat('/link'), { name: 'link', mode: 0o777 + 2 ** 27, linkTarget: '/d' });
  t.like(await stat('/link/'), { name: 'link', mode: 0o755 + 2 ** 31, linkTarget: '' });
  t.like(await stat('/link/.'), { name: '.' });
  t.like(await stat('/broken'), { name: 'broken', linkTarget: '/nowhere' });
  t.like(await stat('link/../link/a'), { name: 'a', size: 3 });
  t.like(await stat('/../..'), { name: '/' });
});

test('a missing path, or one that is no directory, is refused with the message clients expect', async (t) => {
  const { fault, engine } = await startFixture(t);
  t.is(await fault('GET', ''), '400 bad parameter: path cannot be empty');
  t.is((await engine.ask('GET', '/containers/box/archive')).status, 400);
  t.is(await fault('GET', '/nope'), '404 Could not find the file /nope in container box');
  t.is(await fault('GET', '/broken/'), '404 Could not find the file /broken/ in container box');
  t.is(await fault('GET', '/d/a/b'), '404 Could not find the file /d/a/b in container box');
  t.is(await fault('GET', '/d/a/'), '400 lstat /d/a/: not a directory');
  t.is(await fault('GET', '/d/a/.'), '400 lstat /d/a/: not a directory');
  t.is(await fault('GET', '/escape/secret'), '404 Could not find the file /escape/secret in container box');
  t.is(await fault('GET', '/a\0b'), '400 path: "/a\\u0000b" has a zero byte');
  const answer = await engine.ask('GET', '/containers/nosuch/archive?path=/');
  t.is(`${answer.status} ${answer.json().message}`, '404 No such container: nosuch');
});

test('a directory is archived under its name, its content alone under a dot', async (t) => {
  const { engine, unpack, id, actions } = await startFixture(t);
  const get = async (where: string) => {
    const answer = await engine.ask('GET', `/containers/${id}/${quoted(where)}`);
    t.is(answer.status, 200);
    t.is(answer.headers['content-type'], 'application/x-tar');
    t.truthy(answer.headers['x-engine-container-path-stat']);
    return unpack(answer.bytes);
  };
  t.is(readFileSync(path.join(await get('/link/'), 'link/sub/b'), 'utf8'), 'bb\n');
  t.deepEqual(readdirSync(await get('/d/.')).sort(), ['a', 'sub']);
  t.is(readFileSync(path.join(await get('d/a'), 'a'), 'utf8'), 'aa\n');
  t.true(existsSync(path.join(await get('/'), 'd/sub/b')));
  t.deepEqual(actions().slice(-2), ['archive-path', 'copy']);
});

test('an archive is extracted at its path and never outside the root', async (t) => {
  const { engine, fault, pack, root, scratch, actions } = await startFixture(t);
  const put = async (where: string, files: Readonly<Record<string, string>>, more = '') =>
    (await engine.ask('PUT', `/containers/box/${quoted(where)}${more}`, { body: await pack(files) })).status;
  t.is(await put('/link', { 'new/file': 'x' }), 200);
  t.is(readFileSync(path.join(root, 'd/new/file'), 'utf8'), 'x');
  t.deepEqual(actions().slice(-2), ['extract-to-dir', 'copy']);
  t.is(await put('/', { 'escape/pwned': 'x' }), 200);
  t.false(existsSync(path.join(scratch, 'pwned')));
  t.is(await put('/d', { sub: 'a file now' }, '&noOverwriteDirNonDir=1'), 400);
  t.is(await put('/d', { 'a/': '' }, '&noOverwriteDirNonDir=True'), 400);
  t.is(await put('/d', { sub: 'a file now' }), 200);
  t.is(readFileSync(path.join(root, 'd/sub'), 'utf8'), 'a file now');
  const body = await pack({ f: 'x' });
  t.is(await fault('PUT', '/nope', { body }), '404 Could not find the file /nope in container box');
  t.is(await fault('PUT', '/d/a', { body }), '400 extraction point is not a directory');
  t.regex(await fault('PUT', '/proc/sys', { body }), /^403 /);
  t.regex(await fault('PUT', '/d', { body: Buffer.alloc(5000, 'this is no tar') }), /^400 /);
  t.is((await engine.ask('PUT', `/containers/box/${quoted('/d')}`, { body: '' })).status, 200);
});

test('hostile archives are refused by the name of the entry, or stay in the container', async (t) => {
  const { engine, host, scratch } = await startFixture(t);
  for (const { name, bytes, refusal } of hostileArchives(scratch)) {
    const { status, text } = await engine.ask('PUT', `/containers/box/${quoted('/d')}`, { body: bytes });
    t.is(status, refusal === undefined ? 200 : 400, `${name}: ${text}`);
    if (refusal !== undefined) t.regex((JSON.parse(text) as { message: string }).message, refusal, name);
    t.deepEqual(readdirSync(scratch), ['secret'], name);
    t.is(readFileSync(path.join(scratch, 'secret'), 'utf8'), 'secret', name);
  }
  await eventually('nothing to be held', () => host.held.length === 0);
});

test('volumes and binds appear at their destinations, and read-only ones are not written', async (t) => {
  const bound = mkdtempSync(path.join(tmpdir(), 'gantry-files-bind-'));
  t.teardown(() => rmSync(bound, { recursive: true }));
  const HostConfig = { ReadonlyRootfs: true, Binds: ['data:/data', 'fixed:/fixed:ro', `${bound}:/data/bound`] };
  const { engine, fault, host, pack, root, unpack } = await startFixture(t, { HostConfig });
  const put = async (where: string, files: Readonly<Record<string, string>>) =>
    (await engine.ask('PUT', `/containers/box/${quoted(where)}`, { body: await pack(files) })).status;
  const body = await pack({ f: 'x' });
  symlinkSync('/data', path.join(root, 'to-data'));
  t.is(await put('/to-data', { f: 'volume', 'bound/g': 'bind' }), 200);
  t.is(readFileSync(path.join(host.rootOf('volume-data'), 'f'), 'utf8'), 'volume');
  t.is(readFileSync(path.join(bound, 'g'), 'utf8'), 'bind');
  t.is(await fault('PUT', '/etc', { body }), '403 container rootfs is marked read-only');
  t.is(await fault('PUT', '/fixed', { body }), '403 mounted volume is marked read-only');
  const tree = await unpack((await engine.ask('GET', `/containers/box/${quoted('/data')}`)).bytes);
  t.deepEqual(readdirSync(path.join(tree, 'data')).sort(), ['bound', 'f']);
  t.true(existsSync(path.join(tree, 'data/bound/g')));
  await eventually('nothing to be held', () => host.held.length === 0);
});

test('the root of a stopped container is mounted only while it is read', async (t) => {
  const { internals, engine, host, id, post, root } = await startFixture(t);
  writeFileSync(path.join(root, 'big'), Buffer.alloc(8 * 2 ** 20));
  const open = () => engine.open('GET', `/containers/box/${quoted('/big')}`);
  t.deepEqual(host.held, []);
  const first = await open();
  const second = await open();
  t.deepEqual(host.held, [`mount ${id}`]);
  first.leave();
  second.leave();
  await eventually('the root to be unmounted', () => host.held.length === 0);

  const reading = await open();
  t.is(await post(`${id}/start`), 204);
  reading.leave();
  await eventually('the reader to be gone', () => !internals().roots.isHeld(id));
  t.true(host.held.includes(`mount ${id}`));

  const last = await open();
  t.is(await post(`${id}/kill`), 204);
  t.deepEqual(host.held, [`mount ${id}`]);
  last.leave();
  await eventually('the root to be unmounted', () => host.held.length === 0);
});

test('a container can be removed while a client reads from it', async (t) => {
  const { engine, host, id, root } = await startFixture(t);
  writeFileSync(path.join(root, 'big'), Buffer.alloc(8 * 2 ** 20));
  const reading = await engine.open('GET', `/containers/box/${quoted('/big')}`);
  t.is((await engine.ask('DELETE', `/containers/${id}`)).status, 204);
  reading.leave();
  await eventually('nothing to be held', () => host.held.length === 0);
  t.is(host.writables.size, 0);
});

test('an export is the whole root without volumes', async (t) => {
  const { engine, host, unpack, actions } = await startFixture(t, { HostConfig: { Binds: ['data:/data'] } });
  writeFileSync(path.join(host.rootOf('volume-data'), 'f'), '');
  const answer = await engine.ask('GET', '/containers/box/export');
  t.is(answer.headers['content-type'], 'application/octet-stream');
  const tree = await unpack(answer.bytes);
  t.is(readFileSync(path.join(tree, 'd/a'), 'utf8'), 'aa\n');
  t.false(existsSync(path.join(tree, 'data/f')));
  t.is(actions().at(-1), 'export');
});

test('changes are listed with their kinds', async (t) => {
  const { engine, host } = await startFixture(t);
  host.changes = [
    { path: '/etc', kind: 'modified' },
    { path: '/etc/hosts', kind: 'added' },
    { path: '/gone', kind: 'deleted' },
    { path: '/new', kind: 'added' },
  ];
  t.deepEqual((await engine.ask('GET', '/containers/box/changes')).json(), [
    { Path: '/gone', Kind: 2 },
    { Path: '/new', Kind: 1 },
  ]);
});
