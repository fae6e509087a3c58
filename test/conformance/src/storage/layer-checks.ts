import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { StorageDriver } from '@gantry/core/contracts';
import { EngineError } from '@gantry/core/errors';
import { aborts, atOnce, rejects } from '../expectations.js';
import type { Suite } from '../suite.js';
import { compressedLayer, compressedLayerDiffId } from './compressed-layer.js';
import { apply, bytesOf, digestOf, layerIds, seen, streamOf, successes, treeOf, writable } from './support.js';
import { directory, file, hardLink, symlink, tar } from './tar.js';

const simple = tar(file('f', 'content'));

/** Applying, finding and removing layers. */
export function layerChecks(suite: Suite<StorageDriver>): void {
  suite.check('two openings are independent', async (t, { driver }, open) => {
    const other = await open();
    await apply(driver, 'a', simple);
    t.deepEqual(await layerIds(other.driver), []);
    await apply(other.driver, 'a', tar(file('g')));
    t.deepEqual(await seen(driver, 'a', treeOf), { f: 'content' });
  });

  suite.check('a layer is listed with its parent', async (t, { driver }) => {
    t.deepEqual(await driver.layers(), []);
    await apply(driver, 'a', simple);
    await apply(driver, 'b', simple, 'a');
    const layers = [...(await driver.layers())].sort((one, other) => (one.id < other.id ? -1 : 1));
    t.deepEqual(layers, [
      { id: 'a', parent: undefined },
      { id: 'b', parent: 'a' },
    ]);
  });

  suite.check('a layer is known by the digest of its tar, and as large as its files', async (t, { driver }) => {
    const layer = tar(
      ...[directory('d'), file('d/f', Buffer.alloc(99)), file('d/f', Buffer.alloc(12_345))],
      ...[file('g', 'abc'), hardLink('h', 'g'), symlink('s', 'd/f'), file('.wh.w', '')],
    );
    t.deepEqual(await apply(driver, 'a', layer), {
      diffId: digestOf(layer),
      size: 12_351,
      tarSize: layer.length,
    });
    t.is(await driver.layerSize('a'), 12_351);
    t.is(await driver.layerSize((await apply(driver, 'e', tar())) && 'e'), 0);
    await rejects(t, driver.layerSize('none'), 'not-found');
  });

  suite.check(
    'a layer comes from a stream or from a part of a file, compressed by gzip or not',
    async (t, { driver, dirs }) => {
      const path = join(dirs.state, 'file');
      const zipped = gzipSync(simple);
      for (const [name, bytes] of Object.entries({ plain: simple, zipped })) {
        writeFileSync(path, Buffer.concat([Buffer.from('before'), bytes, Buffer.from('behind')]));
        const source = { file: path, offset: 6, length: bytes.length };
        t.is((await driver.applyLayer({ id: `${name}-file`, source })).diffId, digestOf(simple));
        t.is((await apply(driver, `${name}-stream`, bytes)).diffId, digestOf(simple));
        const compression = name === 'plain' ? 'none' : 'gzip';
        const said = await driver.applyLayer({ id: `${name}-said`, source: { stream: streamOf(bytes), compression } });
        t.is(said.diffId, digestOf(simple));
      }
      writeFileSync(path, simple);
      t.is((await driver.applyLayer({ id: 'whole', source: { file: path } })).size, 7);
    },
  );

  for (const compression of ['bzip2', 'xz', 'zstd'] as const) {
    suite.check(`a layer compressed by ${compression} is applied, or refused for that`, async (t, { driver }) => {
      try {
        t.is((await apply(driver, 'a', compressedLayer[compression])).diffId, compressedLayerDiffId);
        t.deepEqual(await seen(driver, 'a', treeOf), { file: 'from a compressed layer\n' });
      } catch (error) {
        t.true(EngineError.is(error) && ['unavailable', 'not-implemented'].includes(error.kind), String(error));
        t.regex((error as Error).message, new RegExp(compression));
        t.deepEqual(await layerIds(driver), []);
      }
    });
  }

  suite.check('a digest that is not the expected one is refused', async (t, { driver }) => {
    const expectedDiffId = digestOf(simple);
    await rejects(t, apply(driver, 'a', tar(file('g')), undefined, { expectedDiffId }), 'invalid-argument');
    t.deepEqual(await layerIds(driver), []);
    await apply(driver, 'a', simple, undefined, { expectedDiffId });
    t.deepEqual(await layerIds(driver), ['a']);
  });

  suite.check('a damaged or hostile archive is refused, and nothing is left', async (t, { driver }) => {
    const truncated = tar(file('f', Buffer.alloc(20_000, 'x'))).subarray(0, 9000);
    const flipped = Buffer.from(simple);
    flipped[0] = 0x21;
    const bad: Record<string, Buffer> = {
      truncated,
      flipped,
      garbage: Buffer.from('this is no tar'.repeat(100)),
      'truncated gzip': gzipSync(simple).subarray(0, 60),
      'damaged gzip': Buffer.concat([gzipSync(simple).subarray(0, 40), Buffer.alloc(100, 0xaa)]),
      'whiteout of its own directory': tar(file('d/.wh..', '')),
      'whiteout of the directory above': tar(file('d/.wh...', '')),
      'hard link to nothing': tar(hardLink('h', 'nothing')),
      'entry in a file': tar(file('f'), file('f/g')),
      'unknown type': tar({ name: 'q', type: 'Q' }),
    };
    for (const [what, archive] of Object.entries(bad)) {
      const stream = streamOf(archive);
      const error = await rejects(t, driver.applyLayer({ id: 'a', source: { stream } }), 'invalid-argument');
      t.not(error.message, '', what);
      t.true(stream.destroyed, what);
    }
    t.deepEqual(await layerIds(driver), []);
    await apply(driver, 'a', simple);
  });

  suite.check('an id can be taken once, and needs its parent', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    const taken = streamOf(simple);
    await rejects(t, driver.applyLayer({ id: 'a', source: { stream: taken } }), 'conflict', /\ba\b/);
    t.true(taken.destroyed);
    const orphan = streamOf(simple);
    await rejects(t, driver.applyLayer({ id: 'b', parent: 'none', source: { stream: orphan } }), 'not-found', /none/);
    t.true(orphan.destroyed);
    t.deepEqual(await layerIds(driver), ['a']);
  });

  for (const bad of ['', '.', '..', '../a', 'a/b', 'A', '-a', 'a b', 'a\0', 'a'.repeat(129)]) {
    suite.check(`${JSON.stringify(bad.slice(0, 10))} (${bad.length}) is not an id`, async (t, { driver }) => {
      await rejects(t, apply(driver, bad, simple), 'invalid-argument');
      await rejects(t, writable(driver, bad), 'invalid-argument');
      t.deepEqual(await layerIds(driver), []);
    });
  }

  suite.check('of 20 that apply the same layer at once one succeeds', async (t, { driver }) => {
    t.is(await successes(Array.from({ length: 20 }, () => apply(driver, 'a', simple))), 1);
    t.deepEqual(await seen(driver, 'a', treeOf), { f: 'content' });
  });

  suite.check('20 layers applied at once are 20, and removed at once none', async (t, { driver }) => {
    await apply(driver, 'base', simple);
    const id = 'x'.repeat(120);
    await atOnce(20, (index) =>
      apply(driver, `${id}${index}`, tar(file(`f${index}`)), index % 2 === 0 ? 'base' : undefined),
    );
    t.is((await layerIds(driver)).length, 21);
    await atOnce(20, (index) => driver.removeLayer(`${id}${index}`));
    t.deepEqual(await layerIds(driver), ['base']);
  });

  suite.check('a layer that something stands on cannot be removed', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    await apply(driver, 'b', simple, 'a');
    await writable(driver, 'w', 'b');
    await rejects(t, driver.removeLayer('a'), 'conflict');
    await rejects(t, driver.removeLayer('b'), 'conflict');
    await driver.removeWritable('w');
    await driver.removeLayer('b');
    await driver.removeLayer('a');
    t.deepEqual(await layerIds(driver), []);
  });

  suite.check('a layer cannot go while something is being put on it', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    const stream = new PassThrough();
    stream.write(simple.subarray(0, 600));
    const applying = driver.applyLayer({ id: 'b', parent: 'a', source: { stream } });
    await rejects(t, driver.removeLayer('a'), 'conflict');
    stream.end(simple.subarray(600));
    await applying;
    t.deepEqual(await layerIds(driver), ['a', 'b']);
  });

  suite.check(
    'removing twice, at once or what is not there resolves, and the id is free again',
    async (t, { driver }) => {
      await driver.removeLayer('none');
      await apply(driver, 'a', simple);
      await atOnce(20, () => driver.removeLayer('a'));
      t.deepEqual(await layerIds(driver), []);
      await apply(driver, 'a', tar(file('g', 'new')));
      t.deepEqual(await seen(driver, 'a', treeOf), { g: 'new' });
    },
  );

  suite.check('the tar of a layer is what it was made from, byte by byte', async (t, { driver }) => {
    const big = Buffer.alloc(3_000_000, 'abcdefg');
    const archives = {
      simple,
      empty: tar(),
      odd: Buffer.concat([
        tar(directory('.', { mode: 0o700 }), file('d/f', big), file('.wh.gone', 'even with content')),
        Buffer.alloc(5000),
        Buffer.from('behind the end'),
      ]),
      twice: tar(file('f', big), hardLink('g', 'f'), file('f', 'other'), directory('g'), file('g/h')),
      long: tar(file(`${'x/'.repeat(100)}f`, 'long', { time: '5.5', attributes: { 'user.a': Buffer.from('b') } })),
    };
    for (const [id, archive] of Object.entries(archives)) {
      await apply(driver, id, gzipSync(archive));
      t.is(digestOf(await bytesOf(driver.layerTar(id))), digestOf(archive), id);
    }
    await apply(driver, 'above', archives.twice, 'simple');
    t.is(digestOf(await bytesOf(driver.layerTar('above'))), digestOf(archives.twice));
    await rejects(t, driver.layerTar('none'), 'not-found', /none/);
  });

  suite.check('reading the tar of a layer can stop early', async (t, { driver }) => {
    await apply(driver, 'a', tar(file('f', Buffer.alloc(5_000_000))));
    for (let times = 0; times < 5; times++) {
      const stream = await driver.layerTar('a');
      for await (const _ of stream) break;
      t.true(stream.destroyed);
    }
    const controller = new AbortController();
    const stream = driver.layerTar('a', { signal: controller.signal });
    const read = bytesOf(stream);
    await stream;
    controller.abort();
    await aborts(t, read);
    await driver.removeLayer('a');
  });

  suite.check('an aborted layer leaves nothing', async (t, { driver }) => {
    const layer = tar(file('f', Buffer.alloc(1_000_000)));
    for (const sent of [0, 3, 100_000]) {
      const stream = new PassThrough();
      stream.write(layer.subarray(0, sent));
      const controller = new AbortController();
      const applying = driver.applyLayer({ id: 'a', source: { stream } }, { signal: controller.signal });
      setTimeout(() => controller.abort(), 20);
      await aborts(t, applying);
      t.true(stream.destroyed);
    }
    const stream = streamOf(layer);
    await aborts(t, driver.applyLayer({ id: 'a', source: { stream } }, { signal: AbortSignal.abort() }));
    t.true(stream.destroyed);
    t.deepEqual(await layerIds(driver), []);
    await apply(driver, 'a', layer);
  });

  suite.check('a source that fails leaves nothing', async (t, { driver }) => {
    const stream = new PassThrough();
    stream.write(simple.subarray(0, 600));
    const applying = driver.applyLayer({ id: 'a', source: { stream } });
    setTimeout(() => stream.destroy(new Error('the line is dead')), 10);
    t.regex(String(await applying.catch((error: unknown) => error)), /the line is dead/);
    t.deepEqual(await layerIds(driver), []);
    await apply(driver, 'a', simple);
  });

  suite.check('the driver says how it works', async (t, { driver }) => {
    for (const [label, value] of driver.status()) t.deepEqual([typeof label, typeof value], ['string', 'string']);
    await apply(driver, 'a', simple);
    await writable(driver, 'w', 'a');
    for (const facts of [await driver.describe('a', 'layer'), await driver.describe('w', 'writable')]) {
      for (const value of Object.values(facts)) t.is(typeof value, 'string');
    }
    await rejects(t, driver.describe('w', 'layer'), 'not-found');
    await rejects(t, driver.describe('a', 'writable'), 'not-found');
  });
}
