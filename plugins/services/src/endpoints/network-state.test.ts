import { clusters, nodes } from '@gantry/cluster/service';
import { type ClusterNetwork, type ClusterNetworks, networkKind } from '@gantry/cluster-networks/service';
import { openDriver } from '@gantry/conformance';
import { type ClusterStore, createRecord, deleteRecord, updateRecord } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { clusterStore } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import type { TaskRecord } from '../records/task-record.js';
import { meshSandbox } from '../service.js';
import { AddressBook } from './address-book.js';
import { Attachments } from './attachments.js';
import { ingressState } from './ingress.js';
import { nodesOn } from './network-state.js';
import { NetworkStates } from './network-states.js';
import { NetworkUsers } from './network-users.js';
import { OrphanedAttachments } from './orphaned-attachments.js';

const network: ClusterNetwork = {
  name: 'backend',
  driver: 'overlay',
  options: {},
  labels: {},
  internal: false,
  attachable: true,
  ingress: false,
  ipam: { driver: 'default', options: {} },
  pools: [{ subnet: '10.0.1.0/29', gateway: '10.0.1.1/29', auxiliary: {}, requested: false }],
  vxlanId: 4097,
};

const service: ServiceRecord = {
  ID: 's1',
  Spec: { Name: 'web', TaskTemplate: { Networks: [{ Target: 'n1', Aliases: ['www'] }] } },
  SpecVersion: 1,
  LatestSpecVersion: 1,
  Ports: [],
  VirtualIPs: [{ NetworkID: 'n1', Addr: '10.0.1.2/29' }],
};

const task = (slot: number, fields: Partial<TaskRecord> = {}): TaskRecord => ({
  ID: `t${slot}`,
  CreatedAt: '2026-01-01T00:00:00Z',
  ServiceID: 's1',
  Slot: slot,
  NodeID: `node${slot}`,
  Spec: {},
  SpecVersion: 1,
  ServiceName: 'web',
  ServiceLabels: {},
  Ports: [],
  Status: { Timestamp: '', State: 'running', Message: '' },
  DesiredState: 'running',
  Addresses: [{ NetworkID: 'n1', Addr: `10.0.1.${slot + 2}/29` }],
  ...fields,
});

async function openStore(t: ExecutionContext): Promise<ClusterStore> {
  const opened = await openDriver(clusterStore);
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  const node = (address: string) => ({
    spec: { Labels: {}, Role: 'worker' as const, Availability: 'active' as const },
    description: { Hostname: `host-${address}` } as never,
    status: { state: 'ready' as const, address },
  });
  await store.transact([
    createRecord(clusters, 'c', { spec: { Name: 'default' }, dataPathPort: 4789 } as never),
    createRecord(nodes, 'node1', node('192.0.2.1')),
    createRecord(nodes, 'node2', { ...node('192.0.2.2'), dataPath: '198.51.100.2' }),
    createRecord(networkKind, 'n1', network),
    createRecord(serviceKind, 's1', service),
    createRecord(taskKind, 't1', task(1)),
    createRecord(taskKind, 't2', task(2)),
  ]);
  return store;
}

const networkState = (store: ClusterStore, nodeId: string, networkId: string) =>
  new NetworkStates({} as ClusterNetworks).of(store, nodeId, networkId);

test('a network is the endpoints of all nodes, with the addresses of their tunnels', async (t) => {
  const store = await openStore(t);
  const state = networkState(store, 'node2', 'n1');
  t.deepEqual(state?.tunnel, { id: 4097, port: 4789, address: '198.51.100.2' });
  t.deepEqual(state?.peers, [
    { address: '10.0.1.3', macAddress: '02:42:0a:00:01:03', node: '192.0.2.1' },
    { address: '10.0.1.4', macAddress: '02:42:0a:00:01:04', node: '198.51.100.2' },
  ]);
  t.deepEqual(nodesOn(store, 'node2', 'n1'), [
    { name: 'host-192.0.2.1', address: '192.0.2.1' },
    { name: 'host-192.0.2.2', address: '198.51.100.2' },
  ]);
  await store.transact([createRecord(networkKind, 'n2', { ...network, name: 'other', pools: [], vxlanId: 4098 })]);
  t.deepEqual(nodesOn(store, 'node2', 'n2'), [], 'it is not on it');
});

test('the nodes of an encrypted network get its keys with it, and others none', async (t) => {
  const store = await openStore(t);
  const keys = [{ id: 'k1', secret: 'c2VjcmV0', sends: true }];
  const states = new NetworkStates({ encryptionKeys: () => keys } as unknown as ClusterNetworks);
  const secret: ClusterNetwork = { ...network, name: 'secret', options: { encrypted: '' }, pools: [], vxlanId: 4100 };
  await store.transact([createRecord(networkKind, 'n2', secret)]);
  t.deepEqual(states.of(store, 'node1', 'n2')?.keys, keys);
  t.is(states.of(store, 'node1', 'n1')?.keys, undefined);
  t.is(states.of(store, 'node1', 'gone'), undefined);
});

test('a service is found by its virtual address, and its tasks below tasks', async (t) => {
  const state = networkState(await openStore(t), 'node1', 'n1');
  t.deepEqual(state?.names.get('web'), ['10.0.1.2']);
  t.deepEqual(state?.names.get('www'), ['10.0.1.2']);
  t.deepEqual(state?.names.get('tasks.web'), ['10.0.1.3', '10.0.1.4']);
  t.deepEqual(state?.names.get('web.1.t1'), ['10.0.1.3']);
  t.deepEqual(state?.services, [{ address: '10.0.1.2', backends: ['10.0.1.3', '10.0.1.4'] }]);
});

test('a task that is to be stopped leaves the backends while it still runs', async (t) => {
  const store = await openStore(t);
  const record = store.get(taskKind, 't1');
  if (record === undefined) return t.fail();
  await store.transact([updateRecord(taskKind, record, { ...record.value, DesiredState: 'shutdown' })]);
  const state = networkState(store, 'node1', 'n1');
  t.deepEqual(state?.services, [{ address: '10.0.1.2', backends: ['10.0.1.4'] }]);
  t.deepEqual(state?.names.get('tasks.web'), ['10.0.1.4']);
  t.is(state?.peers.length, 2);
});

test('a service without a virtual address is found by those of its tasks', async (t) => {
  const store = await openStore(t);
  const record = store.get(serviceKind, 's1');
  if (record === undefined) return t.fail();
  const { VirtualIPs: _none, ...rest } = record.value;
  await store.transact([updateRecord(serviceKind, record, rest)]);
  const state = networkState(store, 'node1', 'n1');
  t.deepEqual(state?.names.get('web'), ['10.0.1.3', '10.0.1.4']);
  t.deepEqual(state?.services, []);
});

test('containers get addresses that no task or service has, until they leave', async (t) => {
  const store = await openStore(t);
  const attachments = new Attachments({ keepingReferences: (change) => change() }, new AddressBook(), {
    now: () => 0n,
  });
  const attach = (containerId: string, more: object = {}) =>
    attachments.attach({ store }, 'node1', {
      networkId: 'n1',
      containerId,
      containerName: `name-${containerId}`,
      aliases: ['db'],
      ...more,
    });
  const [first, second] = await Promise.all([attach('c1'), attach('c2')]);
  t.deepEqual([first, second].sort(), ['10.0.1.5/29', '10.0.1.6/29']);
  t.is(await attach('c1'), first, 'a second request has the same answer');
  await t.throwsAsync(attach('c3'), { message: /no available IPv4 addresses/ });
  t.deepEqual(networkState(store, 'node1', 'n1')?.names.get('db')?.length, 2);
  await attachments.retain({ store }, 'node1', (_network, containerId) => containerId === 'c2');
  t.is(await attach('c3'), first);
  await t.throwsAsync(attach('c4', { ipv4Address: '10.0.1.2' }), { message: /Address already in use/ });
});

test('a task has its own address, by the name of its container', async (t) => {
  const attachments = new Attachments({ keepingReferences: (change) => change() }, new AddressBook(), {
    now: () => 0n,
  });
  const request = { networkId: 'n1', containerId: 'c', containerName: 'web.1.t1', aliases: [] };
  t.is(await attachments.attach({ store: await openStore(t) }, 'node1', request), '10.0.1.3/29');
});

test('a published port leads to the running tasks of its service, and containers do not join its network', async (t) => {
  const store = await openStore(t);
  const ports = [{ Protocol: 'udp' as const, TargetPort: 53, PublishedPort: 8053 }];
  const ingress = { ...network, name: 'ingress', attachable: false, ingress: true, vxlanId: 4096 };
  const own = (slot: number, fields: Partial<TaskRecord> = {}): TaskRecord =>
    task(slot, { ID: `p${slot}`, ServiceID: 's2', Ports: ports, ...fields });
  const addresses = (address: string) => ({ Addresses: [{ NetworkID: 'n2', Addr: `${address}/24` }] });
  await store.transact([
    createRecord(networkKind, 'n2', {
      ...ingress,
      pools: [{ subnet: '10.0.9.0/24', gateway: '10.0.9.1/24', auxiliary: {}, requested: false }],
    }),
    createRecord(serviceKind, 's2', { ...service, ID: 's2', Spec: { Name: 'dns' }, Ports: ports, VirtualIPs: [] }),
    createRecord(taskKind, 'p1', own(1, addresses('10.0.9.5'))),
    createRecord(taskKind, 'p2', own(2, { ...addresses('10.0.9.6'), DesiredState: 'shutdown' })),
    createRecord(taskKind, 'p3', own(3, { ...addresses('10.0.9.7'), Ports: [] })),
  ]);
  const published = { protocol: 'udp', port: 8053, targetPort: 53, backends: ['10.0.9.5'] } as const;
  t.deepEqual(ingressState(store)?.ports, [published]);
  const node = store.get(nodes, 'node1');
  if (node === undefined) return t.fail();
  await store.transact([updateRecord(nodes, node, { ...node.value, keepsClientAddresses: true })]);
  t.deepEqual(ingressState(store)?.ports, [{ ...published, transparent: ['10.0.9.5'] }], 'where the node says so');
  const attachments = new Attachments({ keepingReferences: (change) => change() }, new AddressBook(), {
    now: () => 0n,
  });
  const request = { networkId: 'n2', containerId: 'c1', containerName: 'c1', aliases: [] };
  await t.throwsAsync(attachments.attach({ store }, 'node1', request), { message: /not manually attachable/ });
  const mesh = { ...request, containerId: meshSandbox.id, containerName: meshSandbox.name };
  t.is(await attachments.attach({ store }, 'node1', mesh), '10.0.9.2/24');
  t.true(networkState(store, 'node2', 'n2')?.peers.some(({ address }) => address === '10.0.9.2'));
});

test('only nodes with a task behind a published port are given the meshes of all nodes', async (t) => {
  const store = await openStore(t);
  const behind = task(1, { ID: 'p1', Addresses: [{ NetworkID: 'n2', Addr: '10.0.9.5/24' }] });
  const pools = [{ subnet: '10.0.9.0/24', gateway: '10.0.9.1/24', auxiliary: {}, requested: false }];
  const ingress = { ...network, name: 'ingress', attachable: false, ingress: true, vxlanId: 4098, pools };
  await store.transact([
    createRecord(networkKind, 'n2', ingress),
    createRecord(taskKind, 'p1', behind),
    ...['node1', 'node2'].map((nodeId, index) =>
      createRecord(taskKind, `m${index}`, {
        ...task(index, { ID: `m${index}`, ServiceID: '', NodeID: nodeId }),
        Addresses: [{ NetworkID: 'n2', Addr: `10.0.9.${10 + index}/24` }],
        Attachment: { ContainerID: meshSandbox.id, ContainerName: meshSandbox.name, Aliases: [] },
      }),
    ),
  ]);
  const addressesAt = (nodeId: string) =>
    networkState(store, nodeId, 'n2')?.peers.map(({ address }) => address.split('.').pop());
  t.deepEqual(addressesAt('node1'), ['10', '11', '5']);
  t.deepEqual(addressesAt('node2'), ['5'], 'it answers no connection of another mesh');
  for (const asking of ['node1', 'node2']) t.is(nodesOn(store, asking, 'n2').length, 2);
  t.deepEqual(networkState(store, 'node1', 'n2')?.names.get(meshSandbox.name), ['10.0.9.10', '10.0.9.11']);
  const moved = store.get(taskKind, 'p1');
  if (moved === undefined) return t.fail();
  await store.transact([updateRecord(taskKind, moved, { ...behind, NodeID: 'node2' })]);
  t.deepEqual(addressesAt('node2'), ['10', '11', '5'], 'its first task brings them');
  t.deepEqual(addressesAt('node1'), ['5']);
});

test('what a node has left that was removed is no peer, and its addresses are free', async (t) => {
  const store = await openStore(t);
  const attachments = new Attachments({ keepingReferences: (change) => change() }, new AddressBook(), {
    now: () => 0n,
  });
  const attach = (nodeId: string, containerId: string) =>
    attachments.attach({ store }, nodeId, { networkId: 'n1', containerId, containerName: containerId, aliases: [] });
  const [first] = [await attach('node2', 'c1'), await attach('node2', 'c2')];
  const node = store.get(nodes, 'node2');
  if (node === undefined) return t.fail();
  await store.transact([deleteRecord(nodes, node)]);
  t.deepEqual(
    networkState(store, 'node1', 'n1')?.peers.map(({ node: address }) => address),
    ['192.0.2.1'],
  );
  t.is(await attach('node1', 'c3'), first);
});

test('a network is not in use by the tasks of a removed service', async (t) => {
  const store = await openStore(t);
  const session = { store, nodeId: 'node1', signal: new AbortController().signal };
  t.is(new NetworkUsers().userOf(session, 'n1'), 'service web');
  const record = store.get(serviceKind, 's1');
  if (record === undefined) return t.fail();
  await store.transact([deleteRecord(serviceKind, record)]);
  t.is(new NetworkUsers().userOf(session, 'n1'), undefined);
});

test('the attachments of a removed node are deleted, whenever it was removed', async (t) => {
  const store = await openStore(t);
  const attachments = new Attachments({ keepingReferences: (change) => change() }, new AddressBook(), {
    now: () => 0n,
  });
  const attach = (nodeId: string, containerId: string) =>
    attachments.attach({ store }, nodeId, { networkId: 'n1', containerId, containerName: containerId, aliases: [] });
  const ending = new AbortController();
  await attach('gone', 'c1');
  const running = new OrphanedAttachments(silentLogger).run({ store, nodeId: 'node1', signal: ending.signal });
  const left = () => store.select(taskKind, 'service', '').map(({ value }) => value.NodeID);
  const untilLeft = async (count: number): Promise<void> => {
    const watch = store.watch({ kinds: [taskKind], signal: ending.signal });
    if (left().length === count) return;
    for await (const _change of watch) if (left().length === count) return;
  };
  await untilLeft(0);
  await attach('node2', 'c2');
  const node = store.get(nodes, 'node2');
  if (node === undefined) return t.fail();
  await store.transact([deleteRecord(nodes, node)]);
  await untilLeft(0);
  await attach('node1', 'c3');
  await attach('gone', 'c4');
  await untilLeft(1);
  t.deepEqual(left(), ['node1']);
  ending.abort();
  await running;
});
