import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TarEntry, TarReader } from '@gantry/lib-archive/tar';
import { archiveOf, member } from '@gantry/lib-archive/testing';
import { kernelFiles } from '@gantry/lib-linux/files';
import test, { type ExecutionContext } from 'ava';
import { openArchive } from './testing/open-archive.js';
import { collect, streamOf } from './testing/scratch.js';

const range = (hostID: number) => [{ containerID: 0, hostID, size: 65_536 }];
const idMappings = { uids: range(100_000), gids: range(200_000) };

function open(t: ExecutionContext) {
  const root = mkdtempSync(join(tmpdir(), 'gantry-owners-'));
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  return { root, archive: openArchive(t, { idMappings }) };
}

const ownerOf = (path: string): string => {
  const { uid, gid } = lstatSync(path);
  return `${uid}:${gid}`;
};

function entriesIn(bytes: Buffer): Map<string, TarEntry> {
  const entries = new Map<string, TarEntry>();
  const nothing = (): void => undefined;
  const reader = new TarReader({
    raw: nothing,
    begin: (entry) => void entries.set(entry.name, entry),
    payload: nothing,
    end: nothing,
  });
  reader.push(bytes);
  reader.finish();
  return entries;
}

/** An access list that names the user 5 and the group 6. */
function accessList(user: number, group: number): Buffer {
  const entries = [
    [1, 7, 0xffffffff],
    [2, 4, user],
    [4, 5, 0xffffffff],
    [8, 4, group],
    [16, 7, 0xffffffff],
    [32, 5, 0xffffffff],
  ] as const;
  const value = Buffer.alloc(4 + entries.length * 8);
  value.writeUInt32LE(2);
  for (const [index, [tag, permissions, id]] of entries.entries()) {
    value.writeUInt16LE(tag, 4 + index * 8);
    value.writeUInt16LE(permissions, 6 + index * 8);
    value.writeUInt32LE(id, 8 + index * 8);
  }
  return value;
}

test('a layer of remapped containers has the owners of the host, also where the archive names none', async (t) => {
  const { root, archive } = open(t);
  const bytes = archiveOf(
    member('made/for/file', { body: 'x', uid: 5, gid: 6, mode: 0o4755 }),
    member('link', { type: 'symlink', linkName: 'file', uid: 7 }),
    member('root', { body: 'x' }),
    member('dir/', { gid: 65_535, attributes: { 'system.posix_acl_access': accessList(5, 6) } }),
  );
  await archive.extractLayer({ stream: streamOf(bytes) }, root, { whiteouts: 'overlay' });
  t.deepEqual(
    ['made', 'made/for/file', 'link', 'root', 'dir'].map((name) => ownerOf(join(root, name))),
    ['100000:200000', '100005:200006', '100007:200000', '100000:200000', '100000:265535'],
  );
  t.is(statSync(join(root, 'made/for/file')).mode & 0o7777, 0o4755);
  t.deepEqual(kernelFiles.getAttribute(join(root, 'dir'), 'system.posix_acl_access'), accessList(100_005, 200_006));
});

test('an archive with an id beyond the mapping is refused, naming the entry and the id', async (t) => {
  const { root, archive } = open(t);
  const layer = (uid: number, gid: number) =>
    archive.extractLayer({ stream: streamOf(archiveOf(member('f', { uid, gid }))) }, root, { whiteouts: 'overlay' });
  await t.throwsAsync(layer(65_536, 0), { message: /f.*user 65536 is beyond the ids that containers have here/ });
  await t.throwsAsync(layer(0, 70_000), { message: /group 70000 is beyond/ });
});

test('an owner that a caller names is one of containers, too', async (t) => {
  const { root, archive } = open(t);
  await archive.extract({ stream: streamOf(archiveOf(member('f', { uid: 9 }))) }, root, '/', {
    owner: { uid: 1000, gid: 50 },
  });
  t.is(ownerOf(join(root, 'f')), '101000:200050');
});

test('owners of the host stay where the archive is for programs of the host', async (t) => {
  const { root, archive } = open(t);
  const bytes = archiveOf(member('made/f', { uid: 3 }));
  await archive.extractLayer({ stream: streamOf(bytes) }, root, { whiteouts: 'overlay', hostOwners: true });
  t.deepEqual([ownerOf(join(root, 'made')), ownerOf(join(root, 'made/f'))], ['0:0', '3:0']);
});

test('archives have the ids of containers, and capabilities without the root of this host', async (t) => {
  const { root, archive } = open(t);
  mkdirSync(join(root, 'd'));
  for (const [name, uid, gid] of [
    ['mapped', 100_005, 200_006],
    ['host', 12, 34],
  ] as const) {
    writeFileSync(join(root, 'd', name), 'x');
    chownSync(join(root, 'd', name), uid, gid);
  }
  symlinkSync('x', join(root, 'd/link'));
  chownSync(join(root, 'd'), 100_000, 200_000);
  kernelFiles.setAttribute(join(root, 'd'), 'system.posix_acl_access', accessList(100_005, 200_006));
  // What the kernel stores for setcap(8) in a user namespace: revision 3, with the id of its root.
  const data = [0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const ofNamespace = Buffer.from([1, 0, 0, 3, ...data, 0xa0, 0x86, 1, 0]);
  kernelFiles.setAttribute(join(root, 'd/mapped'), 'security.capability', ofNamespace);

  const entries = entriesIn(await collect(archive.packTree(root, '/d')));

  t.like(entries.get('d/'), { uid: 0, gid: 0 });
  t.deepEqual(entries.get('d/')?.attributes.get('system.posix_acl_access'), accessList(5, 6));
  t.like(entries.get('d/mapped'), { uid: 5, gid: 6 });
  t.deepEqual(entries.get('d/mapped')?.attributes.get('security.capability'), Buffer.from([1, 0, 0, 2, ...data]));
  t.like(entries.get('d/host'), { uid: 12, gid: 34 });
});
