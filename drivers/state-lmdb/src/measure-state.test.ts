import test from 'ava';
import { CommitQueue } from './commit-queue.js';
import { measureState } from './measure-state.js';

const valuesOf = (queue: CommitQueue) =>
  Object.fromEntries(measureState(queue.counts, []).map(({ name, values }) => [name, values[0]?.value]));

const write = (key: string) => [{ area: 'records' as const, key, value: undefined }];

test('transactions of one moment share a write, and both are counted', async (t) => {
  const queue = new CommitQueue({ commit: async () => undefined, copy: async () => undefined });
  await Promise.all([queue.add(write('a')), queue.add(write('b')), queue.add(write('c'))]);
  await queue.add(write('d'));
  t.like(valuesOf(queue), { state_transactions_total: 4, state_transaction_failures_total: 0, state_commits_total: 2 });
});

test('transactions that failed are counted as such', async (t) => {
  const queue = new CommitQueue({ commit: () => Promise.reject(new Error('full')), copy: async () => undefined });
  await t.throwsAsync(queue.add(write('a')));
  t.like(valuesOf(queue), { state_transactions_total: 0, state_transaction_failures_total: 1, state_commits_total: 0 });
});
