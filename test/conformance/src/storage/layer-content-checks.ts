import { lstatSync, readdirSync, readFileSync, readlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageDriver } from '@gantry/core/contracts';
import type { Suite } from '../suite.js';
import { apply, bytesOf, inside, seen, treeOf, writable } from './support.js';
import { directory, file, hardLink, symlink, tar } from './tar.js';

/** What is in a layer, as a container sees it. */
export function layerContentChecks(suite: Suite<StorageDriver>): void {
  suite.check('a stack of layers is seen as one tree', async (t, { driver }) => {
    await apply(driver, 'a', tar(directory('etc'), file('etc/one', '1'), file('etc/two', '2')));
    await apply(driver, 'b', tar(directory('etc'), file('etc/two', 'two'), file('etc/three', '3')), 'a');
    const expected = { 'etc/': '', 'etc/one': '1', 'etc/three': '3', 'etc/two': 'two' };
    t.deepEqual(await seen(driver, 'b', treeOf), expected);
    t.deepEqual(await seen(driver, 'a', treeOf), { 'etc/': '', 'etc/one': '1', 'etc/two': '2' });
  });

  suite.check('whiteouts delete what the parent has', async (t, { driver }) => {
    const files = ['file', 'dir/gone', 'dir/kept', 'tree/deep/file', 'opaque/old', 'opaque/dir/old'];
    await apply(driver, 'a', tar(...files.map((name) => file(name, 'a'))));
    const layer = tar(
      file('.wh.file', ''),
      file('dir/.wh.gone', ''),
      file('.wh.tree', ''),
      directory('opaque'),
      file('opaque/.wh..wh..opq', ''),
      file('opaque/new', 'b'),
    );
    await apply(driver, 'b', layer, 'a');
    t.deepEqual(await seen(driver, 'b', treeOf), { 'dir/': '', 'dir/kept': 'a', 'opaque/': '', 'opaque/new': 'b' });
  });

  suite.check('a whiteout spares what its own layer brings, before or after it', async (t, { driver }) => {
    await apply(driver, 'a', tar(file('x/old', 'a'), file('y/old', 'a'), file('z', 'a'), file('o/old', 'a')));
    const layer = tar(
      file('x/new', 'b'),
      file('.wh.x', ''),
      file('.wh.y', ''),
      file('y/new', 'b'),
      file('z', 'b'),
      file('.wh.z', ''),
      file('o/new', 'b'),
      file('o/.wh..wh..opq', ''),
    );
    await apply(driver, 'b', layer, 'a');
    const expected = { 'o/': '', 'o/new': 'b', 'x/': '', 'x/new': 'b', 'y/': '', 'y/new': 'b', z: 'b' };
    t.deepEqual(await seen(driver, 'b', treeOf), expected);
  });

  suite.check('a deleted name can come back as something else in a layer above', async (t, { driver }) => {
    await apply(driver, 'a', tar(file('x/old', 'a'), file('y', 'a')));
    await apply(driver, 'b', tar(file('.wh.x', ''), file('.wh.y', '')), 'a');
    await apply(driver, 'c', tar(file('x/new', 'c'), file('y/z', 'c')), 'b');
    t.deepEqual(await seen(driver, 'c', treeOf), { 'x/': '', 'x/new': 'c', 'y/': '', 'y/z': 'c' });
    await apply(driver, 'd', tar(file('x', 'd')), 'c');
    t.deepEqual(await seen(driver, 'd', treeOf), { x: 'd', 'y/': '', 'y/z': 'c' });
  });

  suite.check('owners, modes, times and links are kept', async (t, { driver }) => {
    const layer = tar(
      directory('d', { mode: 0o1777, uid: 7, time: '1600000000.5' }),
      file('d/f', 'content', { mode: 0o4755, uid: 1000, gid: 2_100_000_000, time: '1500000000.123456789' }),
      hardLink('d/h', 'd/f'),
      { ...symlink('d/s', '/d/f'), uid: 5 },
      { name: 'd/p', type: '6', mode: 0o600 },
    );
    await apply(driver, 'a', layer);
    await seen(driver, 'a', (root) => {
      const at = (path: string) => lstatSync(join(root, path), { bigint: true });
      t.is(Number(at('d').mode) & 0o7777, 0o1777);
      t.is(at('d').uid, 7n);
      t.is(at('d').mtimeNs, 1_600_000_000_500_000_000n);
      t.is(Number(at('d/f').mode) & 0o7777, 0o4755);
      t.deepEqual([at('d/f').uid, at('d/f').gid], [1000n, 2_100_000_000n]);
      t.is(at('d/f').mtimeNs, 1_500_000_000_123_456_789n);
      t.is(at('d/h').ino, at('d/f').ino);
      t.is(readlinkSync(join(root, 'd/s')), '/d/f');
      t.is(at('d/s').uid, 5n);
      t.true(at('d/p').isFIFO());
    });
  });

  suite.check('devices are kept', async (t, { driver }) => {
    await apply(driver, 'a', tar({ name: 'null', type: '3', major: 1, minor: 3, mode: 0o666 }));
    await seen(driver, 'a', (root) => {
      const status = lstatSync(join(root, 'null'));
      t.true(status.isCharacterDevice());
      t.is(status.rdev, 0x103);
    });
  });

  suite.check('extended attributes are kept, byte by byte', async (t, { driver }) => {
    const value = Buffer.from([1, 0, 0, 2, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    await apply(driver, 'a', tar(file('f', 'x', { attributes: { 'security.capability': value, 'user.note': value } })));
    await writable(driver, 'w', 'a');
    // Only a copied-up file with all its metadata can be observed.
    await inside(driver, 'w', (root) => utimesSync(join(root, 'f'), 1, 1));
    const diff = await bytesOf(driver.diff('w'));
    for (const name of ['security.capability', 'user.note']) {
      t.true(diff.includes(Buffer.concat([Buffer.from(`SCHILY.xattr.${name}=`), value])), name);
    }
  });

  suite.check('the root directory is as the layer says, and as its parent says else', async (t, { driver }) => {
    await apply(driver, 'a', tar(directory('.', { mode: 0o711, uid: 3 }), file('f')));
    await apply(driver, 'b', tar(file('g')), 'a');
    await seen(driver, 'b', (root) => {
      t.is(lstatSync(root).mode & 0o7777, 0o711);
      t.is(lstatSync(root).uid, 3);
    });
  });

  suite.check('a directory that a layer leaves out is as its parent has it', async (t, { driver }) => {
    await apply(
      driver,
      'a',
      tar(directory('tmp', { mode: 0o1777, gid: 9 }), directory('usr/lib'), symlink('lib', 'usr/lib')),
    );
    await apply(driver, 'b', tar(file('tmp/f'), file('lib/g')), 'a');
    await seen(driver, 'b', (root) => {
      t.is(lstatSync(join(root, 'tmp')).mode & 0o7777, 0o1777);
      t.is(lstatSync(join(root, 'tmp')).gid, 9);
      t.is(readlinkSync(join(root, 'lib')), 'usr/lib');
      t.is(readFileSync(join(root, 'usr/lib/g'), 'utf8'), 'lib/g');
    });
  });

  suite.check('long and unusual names are kept', async (t, { driver }) => {
    const names = [
      `${'long/'.repeat(60)}name`,
      'with blank',
      'ünï/cödé',
      ' ',
      'new\nline',
      '-rf',
      '"quoted"',
      'a\\b',
      'a:b,c',
    ];
    await apply(driver, 'a', tar(...names.map((name) => file(name))));
    await seen(driver, 'a', (root) => {
      for (const name of names) t.is(readFileSync(join(root, name), 'utf8'), name);
    });
  });

  suite.check('no entry reaches outside its layer', async (t, { driver, dirs }) => {
    const out = join(dirs.root, '..');
    const before = readdirSync(out);
    const layer = tar(
      file('/absolute', '1'),
      file('../../../../../../up', '2'),
      file('a/../../../../../../over', '3'),
      symlink('out', out),
      symlink('higher', '../../../..'),
      file('higher/through', '4'),
      hardLink('hard', '../../../absolute'),
    );
    await apply(driver, 'a', layer);
    t.deepEqual(readdirSync(out), before);
    const names = await seen(driver, 'a', (root) => readdirSync(root).sort());
    t.deepEqual(
      names.filter((name) => name !== 'a'),
      ['absolute', 'hard', 'higher', 'out', 'over', 'through', 'up'],
    );
  });

  // Alone: that many layers written to a disk that others keep busy would take long.
  suite.serial('a deep stack of layers can be mounted', async (t, { driver }) => {
    const depth = 130;
    for (let level = 0; level < depth; level++) {
      const parent = level === 0 ? undefined : `l${level - 1}`;
      await apply(driver, `l${level}`, tar(file(`f${level}`), file('top', String(level))), parent);
    }
    await seen(driver, `l${depth - 1}`, (root) => {
      t.is(readdirSync(root).length, depth + 1);
      t.is(readFileSync(join(root, 'top'), 'utf8'), String(depth - 1));
    });
  });
}
