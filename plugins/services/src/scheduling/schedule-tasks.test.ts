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
