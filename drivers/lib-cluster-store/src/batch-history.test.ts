import { WatchCompacted } from '@gantry/core/contracts';
import test from 'ava';
import { BatchHistory, type StoredChange } from './batch-history.js';
import { StoredRecord } from './stored-record.js';

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

test('large records count as several changes, so that few of them are kept', (t) => {
  const history = new BatchHistory(0, 1000);
  const after = new StoredRecord('config', 'a', 1, 'x'.repeat(800 * 1024));
  for (let revision = 1; revision <= 50; revision++) {
    history.add({ revision, changes: [{ kind: 'config', id: 'a', before: undefined, after }] });
  }
  t.true(history.after(50 - 10).length === 10);
  t.throws(() => history.after(50 - 13), { instanceOf: WatchCompacted });
});
