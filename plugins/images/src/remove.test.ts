import test from 'ava';
import { digestOf, imageOf, manifestArchive, tarOf } from './testing/archives.js';
import { imageBench, nothingLeft } from './testing/bench.js';

const base = await tarOf({ base: 'base' });
const top = await tarOf({ top: 'top' });
const image = imageOf([base, top], { config: { Labels: { a: '1' } } });
const short = image.id.slice(7, 19);
const container = 'c0ffee'.repeat(11).slice(0, 64);
const c12 = container.slice(0, 12);

async function loaded(t: Parameters<typeof imageBench>[0], ...tags: string[]) {
  const bench = await imageBench(t);
  await bench.load(await manifestArchive([{ ...image, tags }]));
  bench.events.length = 0;
  return bench;
}

const usedBy = (running: boolean) => ({
  usersOf: (id: string) => (id === image.id ? [{ containerId: container, running }] : []),
});

test('the last name takes the image and its layers along, from the top', async (t) => {
  const bench = await loaded(t, 'web:1');
  const { chainIds } = bench.area.store.resolve('web:1');
  t.deepEqual(await bench.remove('web:1'), [
    { Untagged: 'web:1' },
    { Deleted: image.id },
    { Deleted: chainIds[1] },
    { Deleted: chainIds[0] },
  ]);
  t.deepEqual(await bench.left(), nothingLeft);
  t.deepEqual(bench.eventSummaries(), [`untag ${image.id}`, `delete ${image.id}`]);
  t.like(bench.events[1]?.actor.attributes, { a: '1' });
});

test('one name of several is only taken away', async (t) => {
  const bench = await loaded(t, 'web:1', 'web:2', 'other:1');
  t.deepEqual(await bench.remove('web:1'), [{ Untagged: 'web:1' }]);
  t.is(bench.area.service.get('web:2').id, image.id);
});

test('layers that another image needs stay', async (t) => {
  const bench = await loaded(t, 'web:1');
  await bench.load(await manifestArchive([{ ...imageOf([base]), tags: ['base:1'] }]));
  await bench.remove('web:1');
  t.is(bench.area.service.get('base:1').size, 4);
  t.is(bench.storage.stored.size, 1);
});

for (const reference of [image.id, image.id.slice(7), short]) {
  test(`an image is removed by ${reference.length} letters of its id, with its one name`, async (t) => {
    const bench = await loaded(t, 'web:1');
    t.like(await bench.remove(reference), [{ Untagged: 'web:1' }, { Deleted: image.id }]);
    t.deepEqual(await bench.left(), nothingLeft);
  });
}

test('by id, several repositories or tags must be forced', async (t) => {
  for (const tags of [
    ['web:1', 'other:1'],
    ['web:1', 'web:2'],
  ]) {
    const bench = await loaded(t, ...tags);
    t.like(await t.throwsAsync(bench.remove(short)), {
      kind: 'conflict',
      message: `conflict: unable to delete ${short} (must be forced) - image is referenced in multiple repositories`,
    });
    t.is((await bench.left()).references.length, 2);
    t.like(await bench.remove(short, { force: true }), [{ Untagged: tags.sort()[0] }, { Untagged: tags[1] }]);
    t.deepEqual(await bench.left(), nothingLeft);
  }
});

test('the last name of an image that a container uses must be forced, and leaves the image', async (t) => {
  const bench = await loaded(t, 'web:1');
  bench.area.service.addUsers(usedBy(true));
  t.like(await t.throwsAsync(bench.remove('web:1')), {
    kind: 'conflict',
    message: `conflict: unable to remove repository reference "web:1" (must force) - container ${c12} is using its referenced image ${short}`,
  });
  t.deepEqual(await bench.remove('web:1', { force: true }), [{ Untagged: 'web:1' }]);
  t.is(bench.area.service.byId(image.id)?.id, image.id);
});

test('by id, an image of a running container cannot be forced away', async (t) => {
  const bench = await loaded(t, 'web:1', 'other:1');
  bench.area.service.addUsers(usedBy(true));
  for (const force of [false, true]) {
    t.like(await t.throwsAsync(bench.remove(short, { force })), {
      kind: 'conflict',
      message: `conflict: unable to delete ${short} (cannot be forced) - image is being used by running container ${c12}`,
    });
  }
});

test('by id, an image of a stopped container must be forced; its layers stay until nothing stands on them', async (t) => {
  const bench = await loaded(t, 'web:1');
  const leave = bench.area.service.addUsers(usedBy(false));
  t.like(await t.throwsAsync(bench.remove(short)), {
    kind: 'conflict',
    message: `conflict: unable to delete ${short} (must be forced) - image is being used by stopped container ${c12}`,
  });
  bench.storage.inUse.add(bench.area.service.get('web:1').topLayer ?? '');
  t.deepEqual(
    await bench.remove(short, { force: true }),
    [{ Untagged: 'web:1' }, { Deleted: image.id }],
    'layers that stay are not told',
  );
  t.is(bench.storage.stored.size, 2);
  await bench.area.service.collect();
  t.is(bench.storage.stored.size, 2);
  leave();
  bench.storage.inUse.clear();
  await bench.area.service.collect();
  t.deepEqual(await bench.left(), nothingLeft);
});

test('an image with children cannot be forced away, and goes with the last of them', async (t) => {
  const bench = await loaded(t, 'web:1');
  const child = imageOf([base, top], { author: 'child' });
  await bench.load(await manifestArchive([{ ...child, tags: ['child:1'] }]));
  const { record } = bench.area.store.resolve('child:1');
  await bench.area.store.add({ image: { ...record, parent: image.id } });
  for (const force of [false, true]) {
    t.like(await t.throwsAsync(bench.remove(image.id, { force })), {
      kind: 'conflict',
      message: `conflict: unable to delete ${short} (cannot be forced) - image has dependent child images`,
    });
  }
  t.deepEqual(await bench.remove('web:1'), [{ Untagged: 'web:1' }], 'its name goes');
  t.deepEqual(await bench.remove('child:1', { prune: false }), [{ Untagged: 'child:1' }, { Deleted: child.id }]);
  t.is(bench.area.store.size, 1, 'without pruning parents stay');
  await bench.load(await manifestArchive([{ ...child, tags: ['child:1'] }]));
  await bench.area.store.add({ image: { ...record, parent: image.id } });
  await bench.remove('child:1');
  t.deepEqual(await bench.left(), nothingLeft);
});

test('the digests of a repository go with its last tag', async (t) => {
  const bench = await loaded(t, 'web:1', 'other:1');
  const digest = `web@${digestOf('m')}`;
  await bench.area.store.add({ references: { [digest]: image.id } });
  t.deepEqual(await bench.remove('web:1'), [{ Untagged: 'web:1' }, { Untagged: digest }]);
  t.deepEqual((await bench.left()).references, ['other:1']);
});

test('an absent image is not found, with the tag that was meant', async (t) => {
  const bench = await imageBench(t);
  t.like(await t.throwsAsync(bench.remove('gone')), { kind: 'not-found', message: 'No such image: gone:latest' });
  t.like(await t.throwsAsync(bench.remove('sha256:abc')), { kind: 'not-found', message: 'No such image: sha256:abc' });
});

test('two removals at once remove once', async (t) => {
  const bench = await loaded(t, 'web:1');
  const outcomes = await Promise.allSettled([bench.remove('web:1'), bench.remove('web:1')]);
  t.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.deepEqual(await bench.left(), nothingLeft);
});

test('a name given while the image is on its way out is refused or kept, never lost', async (t) => {
  const bench = await loaded(t, 'web:1');
  const [, tagged] = await Promise.allSettled([bench.remove('web:1'), bench.area.tagger.tag(short, 'new', '')]);
  t.is(tagged.status, 'rejected');
  t.deepEqual(await bench.left(), nothingLeft);
});

test('an image that is removed while it is loaded again is there, whole', async (t) => {
  const bench = await loaded(t, 'web:1');
  const archive = await manifestArchive([{ ...image, tags: ['again:1'] }]);
  await Promise.all([bench.load(archive), bench.remove('web:1')]);
  const { topLayer, size } = bench.area.service.get('again:1');
  t.is(size, 7);
  t.true(bench.storage.stored.has(topLayer ?? ''));
  await bench.reopen();
  t.true(bench.storage.stored.has(bench.area.service.get('again:1').topLayer ?? ''));
});

test('a held image keeps its layers when it is removed, until they are collected', async (t) => {
  const bench = await loaded(t, 'web:1');
  const letGo = bench.area.service.hold(image.id);
  await bench.remove('web:1');
  t.is(bench.storage.stored.size, 2);
  await bench.area.service.collect();
  t.is(bench.storage.stored.size, 2);
  letGo();
  letGo();
  await bench.area.service.collect();
  t.deepEqual(await bench.left(), nothingLeft);
});

test('an image held during its load can be removed afterwards', async (t) => {
  const bench = await imageBench(t);
  const loading = bench.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
  while (bench.area.service.byId(image.id) === undefined) await new Promise(setImmediate);
  const letGo = bench.area.service.hold(image.id);
  await loading;
  letGo();
  await bench.remove('web:1');
  t.deepEqual(await bench.left(), nothingLeft);
});
