import test from 'ava';
import { digestOf, imageOf, manifestArchive, tarOf } from './testing/archives.js';
import { imageHarness, nothingStored } from './testing/harness.js';

const base = await tarOf({ base: 'base' });
const top = await tarOf({ top: 'top' });
const image = imageOf([base, top], { config: { Labels: { a: '1' } } });
const short = image.id.slice(7, 19);
const container = 'c0ffee'.repeat(11).slice(0, 64);
const c12 = container.slice(0, 12);

async function loaded(t: Parameters<typeof imageHarness>[0], ...tags: string[]) {
  const harness = await imageHarness(t);
  await harness.load(await manifestArchive([{ ...image, tags }]));
  harness.events.length = 0;
  return harness;
}

const usedBy = (running: boolean) => ({
  usersOf: (id: string) => (id === image.id ? [{ containerId: container, running }] : []),
});

test('removing the last name removes the image and its layers, from the top', async (t) => {
  const harness = await loaded(t, 'web:1');
  const { chainIds } = harness.area.store.resolve('web:1');
  t.deepEqual(await harness.remove('web:1'), [
    { Untagged: 'web:1' },
    { Deleted: image.id },
    { Deleted: chainIds[1] },
    { Deleted: chainIds[0] },
  ]);
  t.deepEqual(await harness.stored(), nothingStored);
  t.deepEqual(harness.eventSummaries(), [`untag ${image.id}`, `delete ${image.id}`]);
  t.like(harness.events[0]?.actor.attributes, { a: '1' });
  // The image is gone, and its labels with it.
  t.deepEqual(harness.events[1]?.actor.attributes, { name: image.id });
});

test('removing one of several names only untags', async (t) => {
  const harness = await loaded(t, 'web:1', 'web:2', 'other:1');
  t.deepEqual(await harness.remove('web:1'), [{ Untagged: 'web:1' }]);
  t.is(harness.area.service.get('web:2').id, image.id);
});

test('layers that another image needs stay', async (t) => {
  const harness = await loaded(t, 'web:1');
  await harness.load(await manifestArchive([{ ...imageOf([base]), tags: ['base:1'] }]));
  await harness.remove('web:1');
  t.is(harness.area.service.get('base:1').size, 4);
  t.is(harness.storage.stored.size, 1);
});

for (const reference of [image.id, image.id.slice(7), short]) {
  test(`an image is removed by ${reference.length} letters of its id, with its one name`, async (t) => {
    const harness = await loaded(t, 'web:1');
    t.like(await harness.remove(reference), [{ Untagged: 'web:1' }, { Deleted: image.id }]);
    t.deepEqual(await harness.stored(), nothingStored);
  });
}

test('removal by id of an image in several repositories needs force', async (t) => {
  for (const tags of [
    ['web:1', 'other:1'],
    ['web:1', 'web:2'],
  ]) {
    const harness = await loaded(t, ...tags);
    t.like(await t.throwsAsync(harness.remove(short)), {
      kind: 'conflict',
      message: `conflict: unable to delete ${short} (must be forced) - image is referenced in multiple repositories`,
    });
    t.is((await harness.stored()).references.length, 2);
    t.like(await harness.remove(short, { force: true }), [{ Untagged: tags.sort()[0] }, { Untagged: tags[1] }]);
    t.deepEqual(await harness.stored(), nothingStored);
  }
});

test('removing the last name of an image in use needs force and keeps the image', async (t) => {
  const harness = await loaded(t, 'web:1');
  harness.area.service.addUsers(usedBy(true));
  t.like(await t.throwsAsync(harness.remove('web:1')), {
    kind: 'conflict',
    message: `conflict: unable to remove repository reference "web:1" (must force) - container ${c12} is using its referenced image ${short}`,
  });
  t.deepEqual(await harness.remove('web:1', { force: true }), [{ Untagged: 'web:1' }]);
  t.is(harness.area.service.byId(image.id)?.id, image.id);
});

test('removal by id of an image of a running container is refused even with force', async (t) => {
  const harness = await loaded(t, 'web:1', 'other:1');
  harness.area.service.addUsers(usedBy(true));
  for (const force of [false, true]) {
    t.like(await t.throwsAsync(harness.remove(short, { force })), {
      kind: 'conflict',
      message: `conflict: unable to delete ${short} (cannot be forced) - image is being used by running container ${c12}`,
    });
  }
});

test('removal by id of an image of a stopped container needs force, and its layers stay in use', async (t) => {
  const harness = await loaded(t, 'web:1');
  const leave = harness.area.service.addUsers(usedBy(false));
  t.like(await t.throwsAsync(harness.remove(short)), {
    kind: 'conflict',
    message: `conflict: unable to delete ${short} (must be forced) - image is being used by stopped container ${c12}`,
  });
  harness.storage.inUse.add(harness.area.service.get('web:1').topLayer ?? '');
  t.deepEqual(
    await harness.remove(short, { force: true }),
    [{ Untagged: 'web:1' }, { Deleted: image.id }],
    'layers that stay are not in the result',
  );
  t.is(harness.storage.stored.size, 2);
  await harness.area.service.collect();
  t.is(harness.storage.stored.size, 2);
  leave();
  harness.storage.inUse.clear();
  await harness.area.service.collect();
  t.deepEqual(await harness.stored(), nothingStored);
});

test('removal of an image with children is refused even with force, and follows the removal of the last child', async (t) => {
  const harness = await loaded(t, 'web:1');
  const child = imageOf([base, top], { author: 'child' });
  await harness.load(await manifestArchive([{ ...child, tags: ['child:1'] }]));
  const { record } = harness.area.store.resolve('child:1');
  await harness.area.store.add({ image: { ...record, parent: image.id } });
  for (const force of [false, true]) {
    t.like(await t.throwsAsync(harness.remove(image.id, { force })), {
      kind: 'conflict',
      message: `conflict: unable to delete ${short} (cannot be forced) - image has dependent child images`,
    });
  }
  t.deepEqual(await harness.remove('web:1'), [{ Untagged: 'web:1' }], 'its name goes');
  t.deepEqual(await harness.remove('child:1', { prune: false }), [{ Untagged: 'child:1' }, { Deleted: child.id }]);
  t.is(harness.area.store.size, 1, 'without pruning parents stay');
  await harness.load(await manifestArchive([{ ...child, tags: ['child:1'] }]));
  await harness.area.store.add({ image: { ...record, parent: image.id } });
  await harness.remove('child:1');
  t.deepEqual(await harness.stored(), nothingStored);
});

test('the digests of a repository are removed with its last tag', async (t) => {
  const harness = await loaded(t, 'web:1', 'other:1');
  const digest = `web@${digestOf('m')}`;
  await harness.area.store.add({ references: { [digest]: image.id } });
  t.deepEqual(await harness.remove('web:1'), [{ Untagged: 'web:1' }, { Untagged: digest }]);
  t.deepEqual((await harness.stored()).references, ['other:1']);
});

test('the error for an absent image names the default tag', async (t) => {
  const harness = await imageHarness(t);
  t.like(await t.throwsAsync(harness.remove('gone')), { kind: 'not-found', message: 'No such image: gone:latest' });
  t.like(await t.throwsAsync(harness.remove('sha256:abc')), {
    kind: 'not-found',
    message: 'No such image: sha256:abc',
  });
});

test('concurrent removals remove once', async (t) => {
  const harness = await loaded(t, 'web:1');
  const outcomes = await Promise.allSettled([harness.remove('web:1'), harness.remove('web:1')]);
  t.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.deepEqual(await harness.stored(), nothingStored);
});

test('a tag added during a removal is refused or kept, never lost', async (t) => {
  const harness = await loaded(t, 'web:1');
  const [, tagged] = await Promise.allSettled([harness.remove('web:1'), harness.area.tagImage.tag(short, 'new', '')]);
  t.is(tagged.status, 'rejected');
  t.deepEqual(await harness.stored(), nothingStored);
});

test('an image removed while it is loaded again is complete', async (t) => {
  const harness = await loaded(t, 'web:1');
  const archive = await manifestArchive([{ ...image, tags: ['again:1'] }]);
  await Promise.all([harness.load(archive), harness.remove('web:1')]);
  const { topLayer, size } = harness.area.service.get('again:1');
  t.is(size, 7);
  t.true(harness.storage.stored.has(topLayer ?? ''));
  await harness.reopen();
  t.true(harness.storage.stored.has(harness.area.service.get('again:1').topLayer ?? ''));
});

test('the layers of a held image survive its removal until they are collected', async (t) => {
  const harness = await loaded(t, 'web:1');
  const release = harness.area.service.hold(image.id);
  await harness.remove('web:1');
  t.is(harness.storage.stored.size, 2);
  await harness.area.service.collect();
  t.is(harness.storage.stored.size, 2);
  release();
  release();
  await harness.area.service.collect();
  t.deepEqual(await harness.stored(), nothingStored);
});

test('an image held during its load can be removed afterwards', async (t) => {
  const harness = await imageHarness(t);
  const loading = harness.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
  while (harness.area.service.byId(image.id) === undefined) await new Promise(setImmediate);
  const release = harness.area.service.hold(image.id);
  await loading;
  release();
  await harness.remove('web:1');
  t.deepEqual(await harness.stored(), nothingStored);
});
