import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { digestOf, imageOf, manifestArchive, tarOf } from '../testing/archives.js';
import { imageHarness, nothingStored } from '../testing/harness.js';
import type { CreateImageRequest } from './image-exchange.js';

const base = await tarOf({ base: 'base' });
const top = await tarOf({ top: 'top' });
const image = imageOf([base, top], { config: { Labels: { a: '1' } } });
const digestName = `web@${digestOf('manifest')}`;

async function exchanging(t: Parameters<typeof imageHarness>[0]) {
  const harness = await imageHarness(t);
  const opened: number[] = [];
  const add = (layers: readonly Buffer[] = image.layers, more: object = {}) =>
    harness.area.exchange.add({
      configuration: image.configuration,
      openLayer: (index) => {
        opened.push(index);
        return { stream: Readable.from([layers[index] ?? Buffer.alloc(0)]) };
      },
      references: ['web:1', digestName],
      ...more,
    });
  const create = (request: Partial<CreateImageRequest>, options?: { signal: AbortSignal }) =>
    harness.area.exchange.create({ config: {}, createdBy: 'by hand', ...request }, options);
  return { harness, opened, add, create, exchange: harness.area.exchange };
}

test('an image is added with all its names without opening stored layers', async (t) => {
  const { harness, add, opened } = await exchanging(t);
  await harness.load(await manifestArchive([imageOf([base])]));
  const layers: [number, boolean][] = [];
  t.is(
    await add(image.layers, { onLayer: (index: number, wasOpened: boolean) => layers.push([index, wasOpened]) }),
    image.id,
  );
  t.deepEqual(opened, [1]);
  t.deepEqual(layers, [
    [0, false],
    [1, true],
  ]);
  t.like(harness.area.service.get('web:1'), { id: image.id, tags: ['web:1'], digests: [digestName] });
});

test('an image whose layers do not match its document is not added', async (t) => {
  const { harness, add } = await exchanging(t);
  await t.throwsAsync(add([base, base]), { message: /has digest/ });
  await t.throwsAsync(add([base]), { message: /digest/ });
  await t.throwsAsync(add([], { configuration: '[]' }), { message: /no JSON object/ });
  await t.throwsAsync(add(image.layers, { references: ['UPPER'] }), { message: /invalid reference format/ });
  t.deepEqual(await harness.stored(), nothingStored);
});

test('two additions of one image at once extract each layer once', async (t) => {
  const { harness, add, opened } = await exchanging(t);
  t.deepEqual(await Promise.all([add(), add()]), [image.id, image.id]);
  t.deepEqual(opened.sort(), [0, 1]);
  t.is(harness.storage.stored.size, 2);
});

test('an image on a parent has one more layer and one more history item', async (t) => {
  const { harness, add, create, exchange } = await exchanging(t);
  const parent = await add();
  harness.events.length = 0;
  const layer = await tarOf({ more: 'more!' });
  const id = await create({
    parent,
    layer: Readable.from([layer]),
    config: { Cmd: ['x'] },
    author: 'me',
    comment: 'why',
    container: 'c'.repeat(64),
    containerConfig: { Hostname: 'h' },
    reference: 'made',
  });
  const { record, configuration } = harness.area.store.resolve('made:latest');
  t.is(record.id, id);
  t.is(record.parent, parent);
  t.like(configuration, { author: 'me', comment: 'why', config: { Cmd: ['x'] }, container: 'c'.repeat(64) });
  t.deepEqual(configuration.rootfs.diff_ids, [...image.layers, layer].map(digestOf));
  t.is(configuration.history?.length, 3);
  t.like(configuration.history?.at(-1), { created_by: 'by hand', author: 'me', comment: 'why' });
  t.deepEqual(harness.eventSummaries(), [`create ${id}`, 'tag made:latest']);
  t.deepEqual(
    exchange.childrenOf(parent).map((child) => [child.id, child.config, child.containerConfig]),
    [[id, { Cmd: ['x'] }, { Hostname: 'h' }]],
  );
});

test('an image that only changes the configuration adds no layer', async (t) => {
  const { harness, add, create } = await exchanging(t);
  await create({ parent: await add(), reference: 'same:1' });
  const { configuration, chainIds } = harness.area.store.resolve('same:1');
  t.is(chainIds.length, 2);
  t.true(configuration.history?.at(-1)?.empty_layer);
  t.is(harness.storage.stored.size, 2);
});

test('an image is made without a parent', async (t) => {
  const { harness, create, exchange } = await exchanging(t);
  const id = await create({ layer: Readable.from([base]) });
  t.is(harness.area.service.byId(id)?.size, 4);
  t.deepEqual(
    exchange.childrenOf(undefined).map((made) => made.id),
    [id],
  );
});

test('a rejected image leaves nothing, and its layer stream is destroyed', async (t) => {
  const { harness, create } = await exchanging(t);
  const failures: readonly (readonly [Partial<CreateImageRequest>, string])[] = [
    [{ parent: `sha256:${'0'.repeat(64)}` }, 'not-found'],
    [{ reference: 'UPPER' }, 'invalid-argument'],
    [{ reference: digestName }, 'invalid-argument'],
  ];
  for (const [request, kind] of failures) {
    const layer = Readable.from([base]);
    t.like(await t.throwsAsync(create({ ...request, layer })), { kind });
    t.true(layer.destroyed);
  }
  await t.throwsAsync(create({ layer: Readable.from([Buffer.from('x'.repeat(600))]) }), { message: /no tar/ });
  await t.throwsAsync(create({ layer: Readable.from([base]) }, { signal: AbortSignal.abort(new Error('gone')) }));
  t.deepEqual(await harness.stored(), nothingStored);
});

test('a layer is read back byte for byte', async (t) => {
  const { add, exchange } = await exchanging(t);
  await add();
  const content = exchange.content('web:1');
  t.like(content, { id: image.id, configuration: image.configuration, references: ['web:1', digestName] });
  t.deepEqual(
    content.layers.map(({ diffId, size }) => [diffId, size]),
    [
      [digestOf(base), 4],
      [digestOf(top), 3],
    ],
  );
  t.deepEqual(await buffer(await exchange.openLayer(content.layers[1]?.storageId ?? '')), top);
  t.throws(() => exchange.content('gone'), { message: 'No such image: gone:latest' });
});

test('a name moves to another image, with an event for each tag', async (t) => {
  const { harness, add, create, exchange } = await exchanging(t);
  await add();
  const other = await create({ layer: Readable.from([top]) });
  harness.events.length = 0;
  await exchange.name(other, ['web:1', `other@${digestOf('x')}`]);
  t.is(harness.area.service.get('web:1').id, other);
  t.deepEqual(harness.eventSummaries(), ['tag web:1']);
  t.like(await t.throwsAsync(exchange.name(`sha256:${'0'.repeat(64)}`, ['x:1'])), { kind: 'not-found' });
});

test('images are pulled from the one registered source', async (t) => {
  const { exchange } = await exchanging(t);
  const request = { reference: 'web:1' };
  t.like(await t.throwsAsync(exchange.pull(request)), { kind: 'not-implemented' });
  const leave = exchange.setSource({ pull: async ({ reference }) => `pulled ${reference}` });
  t.is(await exchange.pull(request), 'pulled web:1');
  t.throws(() => exchange.setSource({ pull: async () => '' }), { message: /registered as the source/ });
  leave();
  await t.throwsAsync(exchange.pull(request));
});
