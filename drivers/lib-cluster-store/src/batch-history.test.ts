import { WatchCompacted } from '@gantry/core/contracts';
import test from 'ava';
import { BatchHistory, type StoredChange } from './batch-history.js';

const change: StoredChange = { kind: 'task', id: 'a', before: undefined, after: undefined };
const batch = (revision: number, count: number) => ({ revision, changes: Array<StoredChange>(count).fill(change) });

test('small transactions are kept until there are so many changes, and a quarter more', (t) => {
  const history = new BatchHistory(0, 100);
  for (let revision = 1; revision < 125; revision++) history.add(batch(revision, 1));
  t.is(history.after(0).length, 124);
  history.add(batch(125, 1));
  t.is(history.after(25).length, 100);
  t.throws(() => history.after(24), { instanceOf: WatchCompacted });
});

test('large transactions are dropped once the later ones have enough changes', (t) => {
  const history = new BatchHistory(0, 1000);
  for (let revision = 1; revision <= 50; revision++) history.add(batch(revision, 500));
  t.deepEqual(
    history.after(48).map(({ revision }) => revision),
    [49, 50],
  );
  t.throws(() => history.after(40), { instanceOf: WatchCompacted });
});
