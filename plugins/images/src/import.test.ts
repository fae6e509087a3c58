import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { digestOf, tarOf } from './testing/archives.js';
import { imageBench, nothingLeft } from './testing/bench.js';

const root = await tarOf({ 'etc/': '', 'etc/x': 'imp' });
const request = (more: object = {}) => ({
  archive: Readable.from([root]),
  changes: [],
  comment: 'Imported from -',
  ...more,
});

test('a root file system becomes an image of one layer', async (t) => {
  const bench = await imageBench(t);
  const id = await bench.area.importer.import(
    request({ reference: 'imp:1', changes: ['CMD ["sh"]', 'ENV A=1 B="x y"\nLABEL k=v', 'EXPOSE 80 53/udp'] }),
  );
  const { configuration, record } = bench.area.store.resolve('imp:1');
  t.is(record.id, id);
  t.deepEqual(configuration.rootfs, { type: 'layers', diff_ids: [digestOf(root)] });
  t.is(configuration.comment, 'Imported from -');
  t.deepEqual(configuration.config, {
    Cmd: ['sh'],
    Env: ['A=1', 'B=x y'],
    Labels: { k: 'v' },
    ExposedPorts: { '80/tcp': {}, '53/udp': {} },
  });
  t.deepEqual(bench.eventSummaries(), ['tag imp:1', `import ${id}`]);
});

test('the same root twice is one layer, and compressed it is the same', async (t) => {
  const bench = await imageBench(t);
  await bench.area.importer.import(request({ comment: 'one' }));
  await bench.area.importer.import(request({ comment: 'two', archive: Readable.from([gzipSync(root)]) }));
  t.is(bench.area.store.size, 2);
  t.is(bench.storage.stored.size, 1);
});

test('what cannot be meant leaves nothing, and the archive is given up', async (t) => {
  const bench = await imageBench(t);
  for (const [more, message] of [
    [{ reference: 'UPPER' }, /invalid reference format/],
    [{ reference: `a@sha256:${'a'.repeat(64)}` }, /digest/],
    [{ changes: ['RUN true'] }, /RUN is not a valid change command: "RUN true"/],
    [{ archive: Readable.from([Buffer.from('not a tar at all '.repeat(99))]) }, /no tar archive/],
  ] as const) {
    const asked = request(more);
    const error = await t.throwsAsync(bench.area.importer.import(asked), { message });
    t.like(error, { kind: 'invalid-argument' });
    t.true(asked.archive.destroyed || asked.archive.readableEnded);
    t.deepEqual(await bench.left(), nothingLeft);
  }
});

test('an import whose client goes leaves nothing', async (t) => {
  const bench = await imageBench(t);
  bench.storage.gate = new Promise(() => undefined);
  const client = new AbortController();
  const importing = bench.area.importer.import(request(), { signal: client.signal });
  while (bench.storage.begun === 0) await new Promise(setImmediate);
  client.abort(new Error('gone'));
  await t.throwsAsync(importing, { message: 'gone' });
  t.deepEqual(await bench.left(), nothingLeft);
});
