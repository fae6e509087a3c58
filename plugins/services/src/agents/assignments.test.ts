import type { AnsweredRequest, ManagerSession, NodeConnections } from '@gantry/cluster/service';
import { openDriver } from '@gantry/conformance';
import { type ClusterStore, createRecord, deleteRecord, updateRecord } from '@gantry/core/contracts';
import { Lifetime } from '@gantry/core/driver';
import { clusterStore } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import { taskKind } from '../records/record-kinds.js';
import type { TaskRecord } from '../records/task-record.js';
import { type TaskState, taskStates } from '../records/task-state.js';
import { AgentRequests } from './agent-requests.js';
import { AssignmentFeed } from './assignment-feed.js';
import { type AssignmentMessage, assignmentsPath } from './assignment-messages.js';

const at = '2026-01-01T00:00:00Z';

const task = (ID: string, State: TaskState, fields: Partial<TaskRecord> = {}): TaskRecord => ({
  ID,
  CreatedAt: at,
  ServiceID: 's1',
  NodeID: 'n1',
  Slot: 1,
  Spec: {},
  SpecVersion: 1,
  ServiceName: 'web',
  ServiceLabels: {},
  Ports: [],
  Status: { Timestamp: at, State, Message: '' },
  DesiredState: 'running',
  ...fields,
});

/** What the node n1 is sent, of a store that has these tasks. */
async function follow(t: ExecutionContext, tasks: readonly TaskRecord[]) {
  const { driver, release } = await openDriver(clusterStore);
  const ended = new AbortController();
  const store = await driver.create({ name: 'm1' });
  if (tasks.length > 0) await store.transact(tasks.map((each) => createRecord(taskKind, each.ID, each)));
  let open: ((request: AnsweredRequest) => AsyncIterable<unknown>) | undefined;
  const connections = {
    answer: () => () => undefined,
    answerStream: (_path: string, answer: typeof open) => {
      if (_path === assignmentsPath) open = answer;
      return () => undefined;
    },
  } as unknown as NodeConnections;
  const feed = new AssignmentFeed();
  new AgentRequests(connections, feed, {} as never, {} as never, {} as never, new Lifetime()).start();
  const session = { store, signal: ended.signal } as ManagerSession;
  const running = feed.run(session);
  const request = { session, nodeId: 'n1', body: null, signal: ended.signal } as AnsweredRequest;
  const messages = open?.(request)[Symbol.asyncIterator]();
  t.teardown(async () => {
    ended.abort();
    await running;
    await release();
  });
  const next = async (): Promise<AssignmentMessage> => (await messages?.next())?.value as AssignmentMessage;
  return { store, next };
}

const idsOf = ({ tasks }: AssignmentMessage) => tasks.map(({ id }) => id).sort();

function change(store: ClusterStore, id: string, fields: Partial<TaskRecord>): Promise<unknown> {
  const record = store.get(taskKind, id);
  if (record === undefined) throw new Error(`${id} is not stored`);
  return store.transact([updateRecord(taskKind, record, { ...record.value, ...fields })]);
}

test('a node is sent its tasks from their assignment on, and those of no other node', async (t) => {
  const others = [
    task('other', 'running', { NodeID: 'n2' }),
    task('attachment', 'running', { Attachment: {} as never }),
  ];
  const { next } = await follow(t, [...taskStates.map((state) => task(state, state)), ...others]);
  const message = await next();
  const waiting: readonly TaskState[] = ['new', 'allocated', 'pending'];
  t.true(message.isComplete);
  t.deepEqual(idsOf(message), taskStates.filter((state) => !waiting.includes(state)).sort());
});

test('a node hears of a task when it is assigned, when it is to stop, and when it is gone', async (t) => {
  const { next, store } = await follow(t, [task('t1', 'pending')]);
  t.deepEqual(idsOf(await next()), []);
  await change(store, 't1', { Status: { Timestamp: at, State: 'assigned', Message: '' } });
  t.like(await next(), { isComplete: false, removed: [] });
  await change(store, 't1', { DesiredState: 'shutdown' });
  const [stopped] = (await next()).tasks;
  t.is(stopped?.desiredState, 'shutdown');
  const record = store.get(taskKind, 't1');
  if (record === undefined) return t.fail('the task is not stored');
  await store.transact([deleteRecord(taskKind, record)]);
  t.deepEqual(await next(), { isComplete: false, tasks: [], removed: ['t1'] });
});

test('a node is not sent what it has reported itself', async (t) => {
  const { next, store } = await follow(t, [task('t1', 'assigned'), task('t2', 'assigned')]);
  await next();
  await change(store, 't1', { Status: { Timestamp: at, State: 'running', Message: 'started' }, StartedAt: at });
  await change(store, 't2', { DesiredState: 'shutdown' });
  t.deepEqual(idsOf(await next()), ['t2']);
});

test('the changes of one transaction are one message', async (t) => {
  const { next, store } = await follow(t, []);
  t.deepEqual(idsOf(await next()), []);
  await store.transact(['t1', 't2', 't3'].map((id) => createRecord(taskKind, id, task(id, 'assigned'))));
  t.deepEqual(idsOf(await next()), ['t1', 't2', 't3']);
});

test('a task that is created and deleted before it is sent is one that the node does not have', async (t) => {
  const { next, store } = await follow(t, []);
  await next();
  await store.transact([createRecord(taskKind, 't1', task('t1', 'assigned'))]);
  const record = store.get(taskKind, 't1');
  if (record === undefined) return t.fail('the task is not stored');
  await store.transact([deleteRecord(taskKind, record)]);
  t.deepEqual(idsOf(await next()), []);
});
