import type { PruneFilters } from '@gantry/core/http';
import test from 'ava';
import { imageOf, manifestArchive, tarOf } from './testing/archives.js';
import { imageHarness, nothingStored } from './testing/harness.js';

const everyUnused = { all: { boolean: () => false }, matches: () => true } as unknown as PruneFilters;

test('a prune removes an unused image with all its names, also tags and digests of several repositories', async (t) => {
  const harness = await imageHarness(t);
  const image = imageOf([await tarOf({ base: 'base' })]);
  await harness.load(await manifestArchive([{ ...image, tags: ['one:1', 'two:1'] }]));
  const digest = `sha256:${'1'.repeat(64)}`;
  await harness.area.exchange.name(image.id, [`one@${digest}`, `two@${digest}`]);
  const { reclaimed, removed } = await harness.area.pruneImages.prune(everyUnused, {
    signal: new AbortController().signal,
  });
  t.deepEqual(await harness.stored(), nothingStored);
  t.true(reclaimed > 0);
  t.deepEqual(removed.flatMap((item) => ('Untagged' in item ? [item.Untagged] : [])).sort(), [
    'one:1',
    `one@${digest}`,
    'two:1',
    `two@${digest}`,
  ]);
});
