import type { GenericResource } from '@gantry/cluster/service';
import test from 'ava';
import type { TaskRecord } from '../records/task-record.js';
import type { TaskSpec } from '../spec/service-spec.js';
import { makeNode, second } from '../testing/simulation.js';
import { usageOf } from './node-usage.js';
import type { SchedulableNode } from './schedulable-node.js';
import { scheduleTasks } from './schedule-tasks.js';

const make = (id: string, Spec: TaskSpec = {}, fields: Partial<TaskRecord> = {}): TaskRecord => ({
  ID: id,
  CreatedAt: '2026-01-01T00:00:00Z',
  ServiceID: 'service',
  ServiceName: 'web',
  ServiceLabels: {},
  Slot: 1,
  Spec,
  SpecVersion: 1,
  Ports: [],
  Status: { Timestamp: '2026-01-01T00:00:00Z', State: 'new', Message: 'created' },
  DesiredState: 'running',
  ...fields,
});

const running = (id: string, NodeID: string, fields: Partial<TaskRecord> = {}): TaskRecord =>
  make(id, fields.Spec, {
    NodeID,
    Status: { Timestamp: '2026-01-01T00:00:00Z', State: 'running', Message: 'started' },
    ...fields,
  });

const many = (count: number, spec?: TaskSpec): readonly TaskRecord[] =>
  Array.from({ length: count }, (_, index) => make(`t${index}`, spec));

/** The nodes that tasks were placed on, sorted, and the reasons of the others. */
function place(tasks: readonly TaskRecord[], nodes: readonly SchedulableNode[], placed: readonly TaskRecord[] = []) {
  const placements = scheduleTasks(tasks, nodes, usageOf(placed, Date.parse('2026-01-01T00:01:00Z')));
  return [...placements.values()]
    .map((placement) => ('nodeId' in placement ? placement.nodeId : placement.reason))
    .sort();
}

const labelled = (id: string, Labels: Readonly<Record<string, string>>): SchedulableNode =>
  makeNode(id, { Spec: { Role: 'worker', Availability: 'active', Labels } });

test('tasks of a service are spread evenly', (t) => {
  t.deepEqual(place(many(5), [makeNode('a'), makeNode('b')]), ['a', 'a', 'a', 'b', 'b']);
});

test('a node with fewer tasks of the service is preferred to one with fewer tasks', (t) => {
  const placed = [running('x', 'a'), ...['y', 'z'].map((id) => running(id, 'b', { ServiceID: 'other' }))];
  t.deepEqual(place(many(1), [makeNode('a'), makeNode('b')], placed), ['b']);
});

test('a node where the service has failed repeatedly is avoided', (t) => {
  const failed = Array.from({ length: 5 }, (_, index) =>
    running(`f${index}`, 'a', { Status: { Timestamp: '2026-01-01T00:00:30Z', State: 'failed', Message: 'started' } }),
  );
  t.deepEqual(place(many(2), [makeNode('a'), makeNode('b')], failed), ['b', 'b']);
});

const constraints: readonly (readonly [constraint: string, nodes: readonly string[]])[] = [
  ['node.id==a', ['a']],
  ['node.id != a', ['b']],
  ['node.hostname==host-b', ['b']],
  ['node.role==manager', ['a']],
  ['node.labels.disk==ssd', ['a']],
  ['node.labels.disk!=ssd', ['b']],
  ['engine.labels.os==debian', ['b']],
  ['node.platform.os==linux', ['a', 'b']],
  ['node.platform.arch==amd64', ['a', 'b']],
  ['node.platform.arch!=x86_64', []],
];

for (const [constraint, expected] of constraints) {
  test(`constraint ${constraint}`, (t) => {
    const plain = makeNode('b');
    const nodes = [
      makeNode('a', { Spec: { Role: 'manager', Availability: 'active', Labels: { disk: 'ssd' } } }),
      { ...plain, Description: { ...plain.Description, Engine: { Labels: { os: 'debian' } } } },
    ];
    const global = nodes.map(({ ID }) => make(ID, { Placement: { Constraints: [constraint] } }, { NodeID: ID }));
    t.deepEqual(
      place(global, nodes).filter((result) => result.length === 1),
      [...expected],
    );
  });
}

const subnets: readonly (readonly [constraint: string, nodes: readonly string[]])[] = [
  ['node.ip==10.1.2.3', ['a']],
  ['node.ip!=10.1.2.3', ['b', 'c']],
  ['node.ip==10.1.0.0/16', ['a', 'b']],
  ['node.ip!=10.1.0.0/16', ['c']],
  ['node.ip==fd00::/8', ['c']],
];

for (const [constraint, expected] of subnets) {
  test(`constraint ${constraint}`, (t) => {
    const addresses = { a: '10.1.2.3', b: '10.1.9.9', c: 'fd00::1' };
    const nodes = Object.entries(addresses).map(([id, Addr]) => makeNode(id, { Status: { State: 'ready', Addr } }));
    const global = nodes.map(({ ID }) => make(ID, { Placement: { Constraints: [constraint] } }, { NodeID: ID }));
    t.deepEqual(
      place(global, nodes).filter((result) => result.length === 1),
      [...expected],
    );
  });
}

test('every constraint of several has to be met', (t) => {
  const nodes = [labelled('a', { disk: 'ssd', zone: '1' }), labelled('b', { disk: 'ssd', zone: '2' })];
  const spec = { Placement: { Constraints: ['node.labels.disk==ssd', 'node.labels.zone!=1'] } };
  t.deepEqual(place(many(2, spec), nodes), ['b', 'b']);
});

test('tasks that have ended reserve nothing', (t) => {
  const spec = { Resources: { Reservations: { MemoryBytes: 6 * 2 ** 30 } } };
  const Status = { Timestamp: '2026-01-01T00:00:00Z', State: 'failed' as const, Message: 'started' };
  t.deepEqual(place(many(1, spec), [makeNode('a')], [running('x', 'a', { Spec: spec, Status })]), ['a']);
});

test('a task that is being stopped still reserves what it has', (t) => {
  const spec = { Resources: { Reservations: { MemoryBytes: 6 * 2 ** 30 } } };
  const placed = [running('x', 'a', { Spec: spec, DesiredState: 'shutdown' })];
  t.deepEqual(place(many(1, spec), [makeNode('a')], placed), ['no suitable node (insufficient resources on 1 node)']);
});

test('failures of another specification of the service do not count against a node', (t) => {
  const Status = { Timestamp: '2026-01-01T00:00:30Z', State: 'failed' as const, Message: 'started' };
  const failed = Array.from({ length: 5 }, (_, index) => running(`f${index}`, 'a', { Status, SpecVersion: 7 }));
  t.deepEqual(place(many(2), [makeNode('a'), makeNode('b')], failed), ['a', 'b']);
});

test('failures count for five minutes', (t) => {
  const Status = { Timestamp: '2025-12-31T23:55:00Z', State: 'failed' as const, Message: 'started' };
  const failed = Array.from({ length: 9 }, (_, index) => running(`f${index}`, 'a', { Status }));
  t.deepEqual(place(many(2), [makeNode('a'), makeNode('b')], failed), ['a', 'b']);
});

test('a volume driver has to be on the node, with or without its tag', (t) => {
  const spec = { ContainerSpec: { Mounts: [{ Type: 'volume', VolumeOptions: { DriverConfig: { Name: 'nfs' } } }] } };
  const withPlugin = (id: string, Name: string) =>
    makeNode(id, { Description: { Engine: { Plugins: [{ Type: 'Volume', Name }] } } });
  const nodes = [withPlugin('a', 'local'), withPlugin('b', 'nfs:latest'), withPlugin('c', 'nfs')];
  t.deepEqual(place(many(4, spec), nodes), ['b', 'b', 'c', 'c']);
});

test('tasks whose node is given are placed there or nowhere', (t) => {
  const paused = makeNode('b', { Spec: { Role: 'worker', Availability: 'pause' } });
  const global = ['a', 'b'].map((NodeID) => make(NodeID, {}, { NodeID }));
  t.deepEqual(place(global, [makeNode('a'), paused]), ['1 node not available for new tasks', 'a']);
});

test('a platform without an architecture or a system stands for all of them', (t) => {
  t.deepEqual(place(many(1, { Placement: { Platforms: [{ OS: 'linux' }] } }), [makeNode('a')]), ['a']);
  t.deepEqual(place(many(1, { Placement: { Platforms: [{ Architecture: 'amd64' }] } }), [makeNode('a')]), ['a']);
  t.deepEqual(place(many(1, { Placement: { Platforms: [{ OS: 'windows' }, { OS: 'linux' }] } }), [makeNode('a')]), [
    'a',
  ]);
});

test('a spread preference also counts the tasks that run already', (t) => {
  const nodes = [labelled('a', { zone: 'a' }), labelled('b', { zone: 'b' })];
  const spec = { Placement: { Preferences: [{ Spread: { SpreadDescriptor: 'node.labels.zone' } }] } };
  t.deepEqual(place(many(2, spec), nodes, [running('x', 'a'), running('y', 'a')]), ['b', 'b']);
});

test('nodes without the label of a preference are a branch of their own', (t) => {
  const nodes = [labelled('a', { zone: 'a' }), makeNode('b'), makeNode('c')];
  const spec = { Placement: { Preferences: [{ Spread: { SpreadDescriptor: 'node.labels.zone' } }] } };
  t.deepEqual(place(many(4, spec), nodes), ['a', 'a', 'b', 'c']);
});

test('tasks are spread over the values of a label first', (t) => {
  const nodes = [
    labelled('a1', { zone: 'a' }),
    labelled('a2', { zone: 'a' }),
    labelled('a3', { zone: 'a' }),
    labelled('b1', { zone: 'b' }),
  ];
  const preferences = { Placement: { Preferences: [{ Spread: { SpreadDescriptor: 'node.labels.zone' } }] } };
  t.deepEqual(place(many(6, preferences), nodes), ['a1', 'a2', 'a3', 'b1', 'b1', 'b1']);
});

test('tasks are spread over any attribute of nodes', (t) => {
  const nodes = [labelled('a', {}), labelled('b', {})];
  const preferences = { Placement: { Preferences: [{ Spread: { SpreadDescriptor: 'node.id' } }] } };
  t.deepEqual(place(many(4, preferences), nodes), ['a', 'a', 'b', 'b']);
});

test('the second preference spreads within each branch of the first', (t) => {
  const nodes = [
    labelled('a1', { zone: 'a', rack: '1' }),
    labelled('a2', { zone: 'a', rack: '2' }),
    labelled('a3', { zone: 'a', rack: '2' }),
    labelled('b1', { zone: 'b', rack: '1' }),
  ];
  const spread = (name: string) => ({ Spread: { SpreadDescriptor: `node.labels.${name}` } });
  const preferences = { Placement: { Preferences: [spread('zone'), spread('rack')] } };
  t.deepEqual(place(many(8, preferences), nodes), ['a1', 'a1', 'a2', 'a3', 'b1', 'b1', 'b1', 'b1']);
});

test('reservations fill a node and no more', (t) => {
  const spec = { Resources: { Reservations: { NanoCPUs: 3 * second } } };
  t.deepEqual(place(many(3, spec), [makeNode('a'), makeNode('b')]), [
    'a',
    'b',
    'no suitable node (insufficient resources on 2 nodes)',
  ]);
});

const offering = (id: string, GenericResources: readonly GenericResource[]): SchedulableNode =>
  makeNode(id, { Description: { Resources: { GenericResources } } });

const gpu = (name: string) => ({ NamedResourceSpec: { Kind: 'GPU', Value: name } });
const ssd = (count: number) => ({ DiscreteResourceSpec: { Kind: 'SSD', Value: count } });

test('generic resources are counted or given by name, and fill a node', (t) => {
  const nodes = [offering('a', [gpu('g1'), gpu('g2'), ssd(3)])];
  const spec = {
    Resources: { Reservations: { GenericResources: [{ DiscreteResourceSpec: { Kind: 'GPU', Value: 1 } }, ssd(1)] } },
  };
  const usages = usageOf([running('x', 'a', { Spec: spec, GenericResources: [gpu('g1'), ssd(1)] })], 0);
  t.deepEqual(
    [...scheduleTasks(many(2, spec), nodes, usages).values()],
    [
      { nodeId: 'a', genericResources: [gpu('g2'), ssd(1)] },
      { reason: 'no suitable node (insufficient resources on 1 node)' },
    ],
  );
});

test('a node that does not offer a kind has no room for it', (t) => {
  const spec = { Resources: { Reservations: { GenericResources: [ssd(1)] } } };
  t.deepEqual(place(many(1, spec), [makeNode('a'), offering('b', [ssd(2)])]), ['b']);
});

test('at most so many replicas are placed on a node', (t) => {
  const results = place(many(3, { Placement: { MaxReplicas: 1 } }), [makeNode('a'), makeNode('b')]);
  t.deepEqual(results, ['a', 'b', 'no suitable node (max replicas per node limit exceed)']);
});

test('a host port is used once per node', (t) => {
  const Ports = [{ Protocol: 'tcp', TargetPort: 80, PublishedPort: 8080, PublishMode: 'host' }];
  const results = place([make('x', {}, { Ports })], [makeNode('a')], [running('y', 'a', { Ports })]);
  t.deepEqual(results, ['no suitable node (host-mode port already in use on 1 node)']);
});

const reasons: readonly (readonly [what: string, spec: TaskSpec, node: SchedulableNode, reason: string])[] = [
  [
    'a paused node',
    {},
    makeNode('a', { Spec: { Role: 'worker', Availability: 'pause' } }),
    '1 node not available for new tasks',
  ],
  ['a node that is down', {}, makeNode('a', { Status: { State: 'down' } }), '1 node not available for new tasks'],
  [
    'too much memory',
    { Resources: { Reservations: { MemoryBytes: 2 ** 50 } } },
    makeNode('a'),
    'insufficient resources on 1 node',
  ],
  [
    'a constraint',
    { Placement: { Constraints: ['node.labels.x==1'] } },
    makeNode('a'),
    'scheduling constraints not satisfied on 1 node',
  ],
  [
    'another platform',
    { Placement: { Platforms: [{ OS: 'windows' }] } },
    makeNode('a'),
    'unsupported platform on 1 node',
  ],
  [
    'an absent log driver',
    { LogDriver: { Name: 'nosuch' } },
    makeNode('a', { Description: { Engine: { Plugins: [{ Type: 'Log', Name: 'json-file' }] } } }),
    'missing plugin on 1 node',
  ],
];

for (const [what, spec, node, reason] of reasons) {
  test(`why a task is pending: ${what}`, (t) => {
    t.deepEqual(place(many(1, spec), [node]), [`no suitable node (${reason})`]);
  });
}

test('the filter that excludes most nodes is named first', (t) => {
  const spec = { Placement: { Constraints: ['node.id==none'] } };
  const paused = makeNode('p', { Spec: { Role: 'worker', Availability: 'pause' } });
  t.deepEqual(place(many(1, spec), [paused, makeNode('a'), makeNode('b')]), [
    'no suitable node (scheduling constraints not satisfied on 2 nodes; 1 node not available for new tasks)',
  ]);
});

test('without nodes there is no suitable one', (t) => {
  t.deepEqual(place(many(1), []), ['no suitable node']);
});

test('a task on a network of a plugin goes to a node that has the plugin', (t) => {
  const withPlugins = (id: string, ...names: readonly string[]) => ({
    ...makeNode(id),
    Description: { Engine: { Plugins: names.map((Name) => ({ Type: 'Network', Name })) } },
  });
  const tasks = [{ ...make('x'), Addresses: [{ NetworkID: 'n', Addr: '10.0.1.3/24' }] }];
  const placed = (...names: readonly string[]) =>
    scheduleTasks(tasks, [withPlugins('a', ...names)], new Map(), new Map([['n', 'wide']])).get('x');
  t.like(placed('overlay'), { reason: 'no suitable node (missing plugin on 1 node)' });
  t.like(placed('overlay', 'wide:latest'), { nodeId: 'a' });
});
