import {
  type ClusterBatch,
  type ClusterStore,
  type ClusterStoreDriver,
  changeOf,
  createRecord,
  deleteRecord,
  updateRecord,
  WatchCompacted,
} from '@gantry/core/contracts';
import { atOnce } from '../expectations.js';
import type { Suite } from '../suite.js';
import { member, others, thing, things } from './things.js';

/** The next batches of a watch, until one of them has the revision. */
async function batchesUntil(watch: AsyncIterable<ClusterBatch>, revision: number): Promise<ClusterBatch[]> {
  const batches: ClusterBatch[] = [];
  for await (const batch of watch) {
    batches.push(batch);
    if (batch.revision >= revision) break;
  }
  return batches;
}

const counts = (batches: readonly ClusterBatch[]): (number | undefined)[] =>
  batches.flatMap(({ changes }) => changes.map((change) => changeOf(others, change)?.after?.value.count));

async function readAll(watch: AsyncIterable<ClusterBatch>): Promise<void> {
  for await (const batch of watch) void batch;
}

/** Creates records of the kind `other`, one transaction each. */
async function createMany(store: ClusterStore, count: number): Promise<number> {
  const atATime = 100;
  let last = 0;
  for (let first = 0; first < count; first += atATime) {
    const revisions = await atOnce(Math.min(atATime, count - first), (offset) => {
      const index = first + offset;
      return store.transact([createRecord(others, `o${index}`, { count: index })]);
    });
    last = Math.max(...revisions);
  }
  return last;
}

/** Watches, what they resume from, and when they end. */
export function watchChecks(suite: Suite<ClusterStoreDriver>): void {
  suite.check(
    'a watch yields the changes of its kinds in order, none twice and none missing',
    async (t, { driver }) => {
      const store = await driver.create(member);
      await store.transact([createRecord(others, 'before', { count: -1 })]);
      const end = new AbortController();
      const watch = store.watch({ kinds: [others], signal: end.signal });
      const from = store.revision;
      await store.transact([createRecord(things, 'a', thing('one'))]);
      const last = await createMany(store, 100);
      const batches = await batchesUntil(watch, last);
      const revisions = batches.map(({ revision }) => revision);
      t.deepEqual(
        revisions,
        [...new Set(revisions)].sort((one, other) => one - other),
      );
      t.deepEqual(
        [...counts(batches)].sort((one, other) => (one ?? 0) - (other ?? 0)),
        Array.from({ length: 100 }, (_, count) => count),
      );
      const resumed = await batchesUntil(store.watch({ kinds: [others], from, signal: end.signal }), last);
      t.deepEqual(counts(resumed), counts(batches), 'a watch that resumes sees the same');
      end.abort();
    },
  );

  suite.check('a watch shows what a record was and is', async (t, { driver }) => {
    const store = await driver.create(member);
    const end = new AbortController();
    const watch = store.watch({ kinds: [others], signal: end.signal });
    const first = await store.transact([createRecord(others, 'a', { count: 1 })]);
    const second = await store.transact([updateRecord(others, { id: 'a', revision: first }, { count: 2 })]);
    const third = await store.transact([deleteRecord(others, { id: 'a', revision: second })]);
    const batches = await batchesUntil(watch, third);
    t.deepEqual(
      batches.flatMap(({ changes }) =>
        changes.map((change) => {
          const { before, after } = changeOf(others, change) ?? {};
          return [before?.value.count, after?.value.count];
        }),
      ),
      [
        [undefined, 1],
        [1, 2],
        [2, undefined],
      ],
    );
    end.abort();
  });

  suite.check('a watch ends when its signal aborts, and when the store is destroyed', async (t, { driver }) => {
    const store = await driver.create(member);
    const end = new AbortController();
    const aborted = readAll(store.watch({ kinds: [others], signal: end.signal }));
    const destroyed = readAll(store.watch({ kinds: [others], signal: new AbortController().signal }));
    end.abort();
    await aborted;
    await driver.destroy();
    await destroyed;
    t.pass();
  });

  suite.check('a watch from before the history throws that it is compacted', async (t, { driver }) => {
    const store = await driver.create(member);
    const from = store.revision;
    const { history, maxChanges } = driver.capabilities;
    for (let first = 0; first < history * 2; first += maxChanges) {
      const changes = Array.from({ length: maxChanges }, (_, offset) => {
        return createRecord(others, `h${first + offset}`, { count: first + offset });
      });
      await store.transact(changes);
    }
    const { signal } = new AbortController();
    const error = await readAll(store.watch({ kinds: [others], from, signal })).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    t.true(WatchCompacted.is(error), String(error));
  });
}
