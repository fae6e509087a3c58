import test, { type ExecutionContext } from 'ava';
import type { ImageListQuery } from './list-images.js';
import { ReferenceIndex } from './store/reference-index.js';
import { imageOf, manifestArchive, tarOf } from './testing/archives.js';
import { imageHarness } from './testing/harness.js';

const layer = await tarOf({ file: 'x' });
const made = (year: number, more: object = {}) => imageOf([layer], { created: `${year}-01-01T00:00:00Z`, ...more });
const oldest = made(2001, { config: { Labels: { stage: 'test', empty: '' } } });
const middle = made(2002);
const newest = made(2003);
const nameless = made(2004);

async function harness(t: ExecutionContext) {
  const { area, load } = await imageHarness(t);
  const images = [
    { ...oldest, tags: ['team/app:1', 'team/app:2', 'plain:latest'] },
    { ...middle, tags: ['registry.example:5000/team/app:1'] },
    { ...newest, tags: ['new:x'] },
    nameless,
  ];
  await load(await manifestArchive(images));
  return (query: Partial<ImageListQuery> = {}): readonly string[] =>
    area.listImages
      .list({ all: false, labels: [], before: [], since: [], references: [], ...query })
      .map(({ image, names }) => names.join(' ') || (image.record.id === nameless.id ? 'nameless' : 'other'));
}

test('the newest image is first, with all its names', async (t) => {
  const list = await harness(t);
  t.deepEqual(list(), ['nameless', 'new:x', 'registry.example:5000/team/app:1', 'plain:latest team/app:1 team/app:2']);
});

const cases: readonly (readonly [what: string, Partial<ImageListQuery>, readonly string[]])[] = [
  ['a repository', { name: 'team/app' }, ['team/app:1 team/app:2']],
  ['a repository and a tag', { name: 'team/app:2' }, ['team/app:2']],
  ['a pattern', { name: 'team/*' }, ['team/app:1 team/app:2']],
  ['a pattern with a registry', { references: ['registry.example:5000/*/*'] }, ['registry.example:5000/team/app:1']],
  ['a pattern for tags', { references: ['*:x', 'plain'] }, ['new:x', 'plain:latest']],
  ['an unknown name', { name: 'unknown' }, []],
  ['dangling images', { dangling: true }, ['nameless']],
  ['no dangling images', { dangling: false, labels: ['stage'] }, ['plain:latest team/app:1 team/app:2']],
  ['a label', { labels: ['stage=test', 'empty='] }, ['plain:latest team/app:1 team/app:2']],
  ['another value of a label', { labels: ['stage=prod'] }, []],
  ['images since one', { since: ['plain'] }, ['nameless', 'new:x', 'registry.example:5000/team/app:1']],
  ['images until a time', { until: BigInt(Date.UTC(2002, 0, 1)) * 1_000_000n }, ['plain:latest team/app:1 team/app:2']],
  [
    'images before one',
    { before: ['new:x'] },
    ['registry.example:5000/team/app:1', 'plain:latest team/app:1 team/app:2'],
  ],
];

for (const [what, query, expected] of cases) {
  test(`${what} is listed`, async (t) => {
    t.deepEqual((await harness(t))(query), expected);
  });
}

test('an absent image in before or since is an error', async (t) => {
  const list = await harness(t);
  t.throws(() => list({ since: ['gone'] }), { message: 'No such image: gone:latest' });
});

test('intermediate images are listed when all are asked for', async (t) => {
  const { area, load } = await imageHarness(t);
  await load(await manifestArchive([nameless, { ...newest, tags: ['new:x'] }]));
  const { record } = area.store.resolve('new:x');
  await area.store.add({ image: { ...record, parent: nameless.id } });
  const query = { labels: [], before: [], since: [], references: [] };
  t.is(area.listImages.list({ ...query, all: false }).length, 1);
  t.is(area.listImages.list({ ...query, all: true }).length, 2);
});

test('an image with a digest and no tag is dangling, and is not left out where dangling ones are', async (t) => {
  const { area, load } = await imageHarness(t);
  await load(await manifestArchive([nameless]));
  await area.store.add({ references: { [`web@${nameless.id}`]: nameless.id } });
  const query = { all: false, labels: [], before: [], since: [], references: [] };
  t.is(area.listImages.list({ ...query, dangling: true }).length, 1);
  t.is(area.listImages.list({ ...query, dangling: false }).length, 1);
});

test('the names of an image follow its tags, sorted', (t) => {
  const index = new ReferenceIndex();
  index.set('b:1', 'one');
  index.set('a:1', 'one');
  index.set('c:1', 'two');
  t.deepEqual(index.namesOf('one'), ['a:1', 'b:1']);
  index.set('b:1', 'two');
  t.deepEqual([index.namesOf('one'), index.namesOf('two')], [['a:1'], ['b:1', 'c:1']]);
  index.delete('a:1');
  index.delete('a:1');
  t.deepEqual([index.namesOf('one'), index.get('a:1'), index.get('b:1')], [[], undefined, 'two']);
  t.deepEqual([...index.entries()].map(([name]) => name).sort(), ['b:1', 'c:1']);
});
