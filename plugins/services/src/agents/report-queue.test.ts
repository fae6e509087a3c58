import { openDriver } from '@gantry/conformance';
import { type ClusterStore, createRecord } from '@gantry/core/contracts';
import { clusterStore } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import { taskKind } from '../records/record-kinds.js';
import type { TaskRecord } from '../records/task-record.js';
import type { TaskState } from '../records/task-state.js';
import { ReportQueue } from './report-queue.js';

async function storeWith(t: ExecutionContext, count: number): Promise<{ store: ClusterStore; transactions: number[] }> {
  const opened = await openDriver(clusterStore);
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  const task = (index: number) =>
    ({
      ID: `t${index}`,
      ServiceID: 's',
      NodeID: `n${index}`,
      Spec: {},
      DesiredState: 'running',
      Status: { Timestamp: '', State: 'assigned', Message: '' },
    }) as unknown as TaskRecord;
  const changes = Array.from({ length: count }, (_, index) => createRecord(taskKind, `t${index}`, task(index)));
  await store.transact(changes);
  const transactions: number[] = [];
  const transact = store.transact.bind(store);
  store.transact = (list, options) => {
    transactions.push(list.length);
    return transact(list, options);
  };
  return { store, transactions };
}

const report = (index: number, State: TaskState, Message = '') => ({
  taskId: `t${index}`,
  status: { Timestamp: '', State, Message },
});

test('reports that arrive during a transaction are stored together by the next', async (t) => {
  const { store, transactions } = await storeWith(t, 300);
  const queue = new ReportQueue(store);
  await Promise.all(Array.from({ length: 300 }, (_, index) => queue.add(`n${index}`, [report(index, 'running')])));
  t.deepEqual(transactions, [1, 299]);
  t.true(store.list(taskKind).every(({ value }) => value.Status.State === 'running'));
});

test('a transaction has at most 500 reports', async (t) => {
  const { store, transactions } = await storeWith(t, 900);
  const queue = new ReportQueue(store);
  await Promise.all(Array.from({ length: 900 }, (_, index) => queue.add(`n${index}`, [report(index, 'running')])));
  t.deepEqual(transactions, [1, 500, 399]);
});

test('of several reports of a task the most advanced is stored, and none of another node', async (t) => {
  const { store } = await storeWith(t, 2);
  const queue = new ReportQueue(store);
  await Promise.all([
    queue.add('n1', [report(1, 'preparing')]),
    queue.add('n0', [report(0, 'running'), report(0, 'starting')]),
    queue.add('n1', [report(0, 'failed')]),
  ]);
  t.deepEqual(
    store.list(taskKind).map(({ value }) => value.Status.State),
    ['running', 'preparing'],
  );
});

test('a store that rejects fails the reports, and takes later ones', async (t) => {
  const { store } = await storeWith(t, 1);
  const { transact } = store;
  store.transact = () => Promise.reject(new Error('unavailable'));
  const queue = new ReportQueue(store);
  await t.throwsAsync(queue.add('n0', [report(0, 'running')]), { message: 'unavailable' });
  store.transact = transact;
  await queue.add('n0', [report(0, 'running')]);
  t.is(store.get(taskKind, 't0')?.value.Status.State, 'running');
});

test('a state that is behind what is stored is ignored, as is any after a final one', async (t) => {
  const { store } = await storeWith(t, 2);
  const queue = new ReportQueue(store);
  await queue.add('n0', [report(0, 'running')]);
  await queue.add('n0', [report(0, 'preparing')]);
  await queue.add('n1', [report(1, 'failed', 'first')]);
  await queue.add('n1', [report(1, 'running'), report(1, 'failed', 'second'), report(1, 'complete')]);
  t.deepEqual(
    store.list(taskKind).map(({ value: { Status } }) => [Status.State, Status.Message]),
    [
      ['running', ''],
      ['failed', 'first'],
    ],
  );
});

test('a report of a task that is gone is no error, and others with it are stored', async (t) => {
  const { store } = await storeWith(t, 1);
  const queue = new ReportQueue(store);
  await queue.add('n0', [report(7, 'running'), report(0, 'running')]);
  t.is(store.get(taskKind, 't0')?.value.Status.State, 'running');
  t.is(store.get(taskKind, 't7'), undefined);
});
