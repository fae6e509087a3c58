import { openDriver } from '@gantry/conformance';
import { createRecord, updateRecord } from '@gantry/core/contracts';
import { clusterStore } from '@gantry/memory-drivers';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { type Node, nodes } from '../records/node-kind.js';
import type { ManagerSession } from '../service.js';
import { announceRoles } from './announce-roles.js';

test('a node connects again when its role changes, and for nothing else', async (t) => {
  const { driver, release } = await openDriver(clusterStore);
  t.teardown(release);
  const store = await driver.create({ name: 'm1' });
  const node: Node = {
    spec: { Labels: {}, Role: 'worker', Availability: 'active' },
    description: {} as Node['description'],
    status: { state: 'ready', address: '192.0.2.1' },
  };
  await store.transact([createRecord(nodes, 'one', node), createRecord(nodes, 'other', node)]);
  const end = new AbortController();
  const disconnected: string[] = [];
  const session = { store, nodeId: 'leader', signal: end.signal } as ManagerSession;
  const work = announceRoles(session, (id) => void disconnected.push(id));
  const change = async (id: string, changed: Partial<Node>): Promise<void> => {
    const record = store.get(nodes, id);
    if (record === undefined) throw new Error(`there is no node ${id}`);
    await store.transact([updateRecord(nodes, record, { ...record.value, ...changed })]);
  };
  await change('one', { spec: { ...node.spec, Availability: 'drain' } });
  await change('one', { spec: { ...node.spec, Role: 'manager' } });
  await eventually('it connects again', () => disconnected.length > 0);
  const manager = { memberId: 'm2', address: '192.0.2.1:2377' };
  await change('one', { manager });
  await change('one', { spec: node.spec }); // it is a manager until its member is gone
  await change('other', { spec: { ...node.spec, Role: 'manager' } });
  await eventually('the other connects again', () => disconnected.length > 1);
  end.abort();
  await work;
  t.deepEqual(disconnected, ['one', 'other']);
});
