import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { digestOf, tarOf } from '../testing/archives.js';
import { imageHarness, nothingStored } from '../testing/harness.js';

const root = await tarOf({ 'etc/': '', 'etc/x': 'imp' });
const request = (more: object = {}) => ({
  archive: Readable.from([root]),
  changes: [],
  comment: 'Imported from -',
  ...more,
});

test('a root file system becomes an image of one layer', async (t) => {
  const harness = await imageHarness(t);
  const id = await harness.area.importImage.import(
    request({ reference: 'imp:1', changes: ['CMD ["sh"]', 'ENV A=1 B="x y"\nLABEL k=v', 'EXPOSE 80 53/udp'] }),
  );
  const { configuration, record } = harness.area.store.resolve('imp:1');
  t.is(record.id, id);
  t.deepEqual(configuration.rootfs, { type: 'layers', diff_ids: [digestOf(root)] });
  t.is(configuration.comment, 'Imported from -');
  t.deepEqual(configuration.config, {
    Cmd: ['sh'],
    Env: ['A=1', 'B=x y'],
    Labels: { k: 'v' },
    ExposedPorts: { '80/tcp': {}, '53/udp': {} },
  });
  t.deepEqual(harness.eventSummaries(), ['tag imp:1', `import ${id}`]);
});

test('the same root file system is one layer, compressed or not', async (t) => {
  const harness = await imageHarness(t);
  await harness.area.importImage.import(request({ comment: 'one' }));
  await harness.area.importImage.import(request({ comment: 'two', archive: Readable.from([gzipSync(root)]) }));
  t.is(harness.area.store.size, 2);
  t.is(harness.storage.stored.size, 1);
});

test('an invalid import leaves nothing, and the archive is destroyed', async (t) => {
  const harness = await imageHarness(t);
  for (const [more, message] of [
    [{ reference: 'UPPER' }, /invalid reference format/],
    [{ reference: `a@sha256:${'a'.repeat(64)}` }, /digest/],
    [{ changes: ['RUN true'] }, /RUN is not a valid change command: "RUN true"/],
    [{ archive: Readable.from([Buffer.from('not a tar at all '.repeat(99))]) }, /no tar archive/],
  ] as const) {
    const asked = request(more);
    const error = await t.throwsAsync(harness.area.importImage.import(asked), { message });
    t.like(error, { kind: 'invalid-argument' });
    t.true(asked.archive.destroyed || asked.archive.readableEnded);
    t.deepEqual(await harness.stored(), nothingStored);
  }
});

test('an aborted import leaves nothing', async (t) => {
  const harness = await imageHarness(t);
  harness.storage.gate = new Promise(() => undefined);
  const client = new AbortController();
  const importing = harness.area.importImage.import(request(), { signal: client.signal });
  while (harness.storage.begun === 0) await new Promise(setImmediate);
  client.abort(new Error('gone'));
  await t.throwsAsync(importing, { message: 'gone' });
  t.deepEqual(await harness.stored(), nothingStored);
});
