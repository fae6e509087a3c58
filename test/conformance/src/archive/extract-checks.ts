import { createHash } from 'node:crypto';
import { symlink as link, lstat, mkdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { aborts, atOnce, rejects } from '../expectations.js';
import { streamOf } from '../storage/support.js';
import { directory, file, hardLink, symlink, tar } from '../storage/tar.js';
import type { Suite } from '../suite.js';
import { archiveFixture } from './archive-fixture.js';
import { hostileArchives } from './hostile-archives.js';

const simple = tar(directory('d'), file('d/f', 'content'));
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export function extractChecks(suite: Suite<ArchiveDriver>): void {
  suite.check('an archive is extracted with owners, modes, times and links', async (t, opened) => {
    const { driver, root } = await archiveFixture(opened);
    const archive = tar(
      directory('d', { mode: 0o750 }),
      file('d/f', 'content', { uid: 12, gid: 34, mode: 0o4711, time: '1500000000.123456789' }),
      symlink('s', 'd/f'),
      hardLink('h', 'd/f'),
      { name: 'fifo', type: '6' },
    );
    const extracted = await driver.extract({ stream: streamOf(archive) }, root, '/');
    t.is(extracted.tarSize, archive.length);
    t.is(extracted.entries, 5);
    const { uid, gid, mode, mtimeMs, ino } = await lstat(join(root, 'd/f'));
    t.deepEqual([uid, gid, mode & 0o7777, Math.floor(mtimeMs)], [12, 34, 0o4711, 1_500_000_000_123]);
    t.is((await lstat(join(root, 'h'))).ino, ino);
    t.is((await lstat(join(root, 'd'))).mode & 0o777, 0o750);
    t.is(await readlink(join(root, 's')), 'd/f');
    t.true((await lstat(join(root, 'fifo'))).isFIFO());
  });

  suite.check('an archive is extracted from a stream, a part of a file, and compressed', async (t, opened) => {
    const { driver, root, fresh } = await archiveFixture(opened);
    const packed = gzipSync(simple);
    const path = join(root, 'archive');
    await writeFile(path, Buffer.concat([Buffer.from('before'), packed, Buffer.from('behind')]));
    const sources = [
      { stream: streamOf(simple) },
      { stream: streamOf(packed) },
      { file: path, offset: 6, length: packed.length },
    ];
    for (const [index, source] of sources.entries()) {
      const target = await fresh(`target-${index}`);
      await driver.extract(source, target, '/');
      t.is(await readFile(join(target, 'd/f'), 'utf8'), 'content');
    }
  });

  suite.check('only a transferable stream loses the memory of its chunks', async (t, opened) => {
    const { driver, root } = await archiveFixture(opened);
    const chunk = new Uint8Array(simple);
    await driver.extract({ stream: Readable.from([chunk]) }, root, '/');
    t.is(chunk.length, simple.length);
  });

  suite.check('a layer is known by its digest and can be written again, byte by byte', async (t, opened) => {
    const { driver, root, fresh } = await archiveFixture(opened);
    const own = await fresh('own');
    const journal = { file: join(own, 'journal'), payloads: join(own, 'payloads') };
    const layer = tar(directory('d'), file('d/f', 'one'), file('d/f', 'again'), hardLink('h', 'd/f'));
    const options = { whiteouts: 'none', journal } as const;
    const { diffId } = await driver.extractLayer({ stream: streamOf(layer) }, root, options);
    t.is(diffId, digestOf(layer));
    t.is(digestOf(await buffer(driver.layerTar(root, journal))), digestOf(layer));
    const other = await fresh('other');
    const expectedDiffId = digestOf(Buffer.from('another'));
    const mismatched = driver.extractLayer({ stream: streamOf(layer) }, other, { whiteouts: 'none', expectedDiffId });
    await rejects(t, mismatched, 'invalid-argument', new RegExp(digestOf(layer)));
  });

  suite.check('whiteouts delete what the layers below have, also what they do not have', async (t, opened) => {
    const { driver, root } = await archiveFixture(opened);
    await driver.extract({ stream: streamOf(simple) }, root, '/');
    const whiteouts = tar(
      file('d/.wh.f', ''),
      file('d/.wh.nothing', ''),
      file('nowhere/.wh.x', ''),
      file('.wh.no', ''),
    );
    await driver.extractLayer({ stream: streamOf(whiteouts) }, root, { whiteouts: 'apply' });
    t.deepEqual(
      (await driver.listTree(root, '/')).entries.map(({ path }) => path),
      ['', 'd', 'nowhere'],
    );
  });

  suite.check('hostile archives are refused by the name of the entry, or stay in the root', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    for (const { name, bytes, refusal } of hostileArchives(fixture.outside)) {
      const target = await fixture.fresh(`target ${name.replaceAll(' ', '-')}`);
      const stream = streamOf(bytes);
      const extraction = fixture.driver.extract({ stream }, target, '/');
      if (refusal === undefined) await extraction;
      else await rejects(t, extraction, 'invalid-argument', refusal);
      t.true(stream.destroyed, name);
      await fixture.isUnharmed(t, name);
    }
  });

  suite.check('a path to extract to is resolved inside the root', async (t, opened) => {
    const { driver, root, outside, isUnharmed } = await archiveFixture(opened);
    await mkdir(join(root, 'real'));
    await link('/real', join(root, 'inside'));
    await link(outside, join(root, 'out'));
    await driver.extract({ stream: streamOf(simple) }, root, '../../inside');
    t.is(await readFile(join(root, 'real/d/f'), 'utf8'), 'content');
    await rejects(t, driver.extract({ stream: streamOf(simple) }, root, '/out'), 'not-found');
    await rejects(t, driver.extract({ stream: streamOf(simple) }, root, '/real/d/f'), 'invalid-argument');
    await isUnharmed(t);
  });

  suite.check('directories are kept, an owner is forced, and a limit holds when asked for', async (t, opened) => {
    const { driver, root } = await archiveFixture(opened);
    await driver.extract({ stream: streamOf(simple) }, root, '/', { owner: { uid: 7, gid: 8 } });
    t.is((await lstat(join(root, 'd/f'))).uid, 7);
    const overwriting = { stream: streamOf(tar(file('d'))) };
    await rejects(
      t,
      driver.extract(overwriting, root, '/', { keepDirectories: true }),
      'invalid-argument',
      /directory/,
    );
    const limited = driver.extract({ stream: streamOf(simple) }, root, '/', { maxBytes: 1000 });
    await rejects(t, limited, 'invalid-argument', /1000/);
  });

  suite.check('a read-only tree and a read-only mount reject extraction', async (t, opened) => {
    const { driver, root, fresh } = await archiveFixture(opened);
    await mkdir(join(root, 'data'));
    const source = await fresh('source');
    const tree = { directory: root, mounts: [{ source, target: '/data', readOnly: false }], readOnly: true };
    await driver.extract({ stream: streamOf(simple) }, tree, '/data');
    t.is(await readFile(join(source, 'd/f'), 'utf8'), 'content');
    await rejects(t, driver.extract({ stream: streamOf(simple) }, tree, '/'), 'forbidden');
    const fixed = { ...tree, mounts: [{ source, target: '/data', readOnly: true }], readOnly: false };
    await rejects(t, driver.extract({ stream: streamOf(simple) }, fixed, '/data'), 'forbidden');
  });

  suite.check('an aborted extraction destroys its stream, and one that fails keeps its error', async (t, opened) => {
    const { driver, root } = await archiveFixture(opened);
    const endless = new Readable({ read: () => undefined });
    endless.push(simple.subarray(0, 700));
    const controller = new AbortController();
    const extraction = driver.extract({ stream: endless }, root, '/', { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await aborts(t, extraction);
    t.true(endless.destroyed);
    const failing = new Readable({ read: () => undefined });
    failing.push(simple.subarray(0, 700));
    const failed = driver.extract({ stream: failing }, root, '/').catch((error: Error) => error.message);
    setTimeout(() => failing.destroy(new Error('the line is dead')), 20);
    t.is(await failed, 'the line is dead');
  });

  suite.check('20 archives extracted at once are 20 trees', async (t, opened) => {
    const { driver, fresh } = await archiveFixture(opened);
    const contents = await atOnce(20, async (index) => {
      const target = await fresh(`target-${index}`);
      await driver.extract({ stream: streamOf(simple) }, target, '/');
      return readFile(join(target, 'd/f'), 'utf8');
    });
    t.deepEqual(new Set(contents), new Set(['content']));
  });

  suite.check('compressed data is expanded, and refused when damaged or too large', async (t, opened) => {
    const { driver } = opened;
    t.deepEqual(await buffer(await driver.expand(streamOf(gzipSync(simple)))), simple);
    t.deepEqual(await buffer(await driver.expand(streamOf(simple))), simple);
    const damaged = async () => buffer(await driver.expand(streamOf(gzipSync(simple).subarray(0, 60))));
    await rejects(t, damaged(), 'invalid-argument');
    const zeros = gzipSync(Buffer.alloc(2 ** 20));
    const large = async () => buffer(await driver.expand(streamOf(zeros), { maxBytes: 1000 }));
    await rejects(t, large(), 'invalid-argument', /1000/);
  });
}
