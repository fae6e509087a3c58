import { openDriver } from '@gantry/conformance';
import { createRecord } from '@gantry/core/contracts';
import { clusterStore } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import { taskKind } from '../records/record-kinds.js';
import type { TaskRecord } from '../records/task-record.js';
import { AddressBook } from './address-book.js';
import { AttachmentQueue } from './attachment-queue.js';

const at = '2026-01-01T00:00:00Z';

const attachment = (ID: string): TaskRecord => ({
  ID,
  CreatedAt: at,
  ServiceID: '',
  NodeID: 'n1',
  Spec: {},
  SpecVersion: 0,
  ServiceName: '',
  ServiceLabels: {},
  Ports: [],
  Status: { Timestamp: at, State: 'running', Message: '' },
  DesiredState: 'running',
});

async function openQueue(t: ExecutionContext) {
  const { driver, release } = await openDriver(clusterStore);
  t.teardown(release);
  const store = await driver.create({ name: 'm1' });
  const queue = new AttachmentQueue(store, new AddressBook(), (change) => change());
  const create = (id: string) =>
    queue.add(() => ({ change: createRecord(taskKind, id, attachment(id)), result: `address of ${id}` }));
  return { store, queue, create };
}

test('requests that arrive together share transactions, and each gets its own answer', async (t) => {
  const { create, store } = await openQueue(t);
  const before = store.revision;
  const ids = Array.from({ length: 40 }, (_, index) => `t${index}`);
  t.deepEqual(
    await Promise.all(ids.map(create)),
    ids.map((id) => `address of ${id}`),
  );
  t.is(store.list(taskKind).length, 40);
  t.true(store.revision - before <= 2, 'the first one, and those that came meanwhile');
});

test('one that is refused, or that another writer was faster with, does not fail the others', async (t) => {
  const { create, queue, store } = await openQueue(t);
  await create('taken');
  const refused = queue.add(() => {
    throw new Error('no address is free');
  });
  const outcomes = await Promise.allSettled([create('one'), refused, create('taken'), create('two')]);
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  t.deepEqual(
    store
      .list(taskKind)
      .map(({ id }) => id)
      .sort(),
    ['one', 'taken', 'two'],
  );
});
