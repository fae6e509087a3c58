import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MountedTree } from '@gantry/core/contracts';
import { archiveOf, member } from '@gantry/lib-archive/testing';
import test, { type ExecutionContext } from 'ava';
import { extract as tarExtract } from 'tar-stream';
import { collect, type Scratch, scratch, streamOf } from './testing/scratch.js';

interface Mounted extends Scratch {
  readonly volume: string;
  readonly tree: MountedTree;
  names(path: string, name?: string): Promise<string[]>;
}

/** A root with a volume at /data, a read-only one at /fixed, and a file at /etc/hosts. */
async function mounted(t: ExecutionContext): Promise<Mounted> {
  const own = await scratch(t);
  const { archive, base, root } = own;
  const [volume, fixed, hosts] = [join(base, 'volume'), join(base, 'fixed'), join(base, 'hosts')];
  for (const path of [volume, fixed, join(root, 'etc'), join(root, 'data')]) mkdirSync(path);
  writeFileSync(join(volume, 'kept'), 'volume');
  writeFileSync(join(root, 'data/hidden'), '');
  writeFileSync(hosts, 'hosts');
  symlinkSync('/data', join(root, 'link'));
  symlinkSync('/etc', join(volume, 'back'));
  const tree: MountedTree = {
    directory: root,
    mounts: [
      { source: volume, target: '/data', readOnly: false },
      { source: fixed, target: '/fixed', readOnly: true },
      { source: hosts, target: '/etc/hosts', readOnly: false },
    ],
    readOnly: false,
  };
  const names = async (path: string, name?: string) => {
    const found: string[] = [];
    const reader = tarExtract();
    reader.end(await collect(archive.packTree(tree, path, name === undefined ? {} : { name })));
    for await (const entry of reader) {
      found.push(entry.header.name);
      entry.resume();
    }
    return found;
  };
  return { ...own, volume, tree, names };
}

test('mounted directories are packed in their place, and what they hide is not', async (t) => {
  const { names, archive, tree } = await mounted(t);
  t.deepEqual(await names('/', '/'), [
    '/',
    '/data/',
    '/data/back',
    '/data/kept',
    '/etc/',
    '/etc/hosts',
    '/fixed/',
    '/link',
  ]);
  t.deepEqual(await names('/link/', 'link'), ['link/', 'link/back', 'link/kept']);
  t.deepEqual(await names('/link/.', '.'), ['./', './back', './kept']);
  t.is((await archive.statInRoot(tree, '/data/back/hosts')).size, 5);
});

test('entries are extracted into the mounts that their paths lead to', async (t) => {
  const { archive, tree, root, volume } = await mounted(t);
  const bytes = archiveOf(
    member('data/', { mode: 0o755 }),
    member('data/new', { body: 'new' }),
    member('data/back/through', { body: 'link' }),
    member('link/other', { body: 'other' }),
  );
  await archive.extract({ stream: streamOf(bytes) }, tree, '/');
  t.deepEqual(readdirSync(volume).sort(), ['back', 'kept', 'new', 'other']);
  t.deepEqual(readdirSync(join(root, 'data')), ['hidden']);
  t.is(readFileSync(join(root, 'etc/through'), 'utf8'), 'link');
});

test('a read-only root or mount rejects extraction', async (t) => {
  const { archive, tree, root, volume } = await mounted(t);
  const put = (path: string, readOnly = false, name = 'new') =>
    archive.extract({ stream: streamOf(archiveOf(member(name))) }, { ...tree, readOnly }, path);
  await t.throwsAsync(put('/fixed'), { message: '/fixed is read-only' });
  await t.throwsAsync(put('/', false, 'fixed/new'), { message: /EROFS/ });
  await t.throwsAsync(put('/etc', true), { message: '/etc is read-only' });
  await put('/data', true);
  t.true(existsSync(join(volume, 'new')));
  t.false(existsSync(join(root, 'etc/new')));
});

test('a missing mount source is an internal error, not an absent path', async (t) => {
  const { archive, root } = await mounted(t);
  const tree = { directory: root, mounts: [{ source: '/no/such', target: '/x', readOnly: false }], readOnly: false };
  const error = await t.throwsAsync(archive.statInRoot(tree, '/etc'), { message: /\/no\/such/ });
  t.like(error, { kind: 'internal' });
});
