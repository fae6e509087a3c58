import test from 'ava';
import type { TaskRecord } from '../records/task-record.js';
import type { TaskSpec } from '../spec/service-spec.js';
import { makeNode } from '../testing/simulation.js';
import { usageOf } from './node-usage.js';
import type { SchedulableNode } from './schedulable-node.js';
import { scheduleTasks } from './schedule-tasks.js';

const gibibyte = 2 ** 30;
const at = '2026-01-01T00:00:00Z';

const task = (ID: string, fields: Partial<TaskRecord> = {}): TaskRecord => ({
  ID,
  CreatedAt: at,
  ServiceID: 'one',
  ServiceName: 'web',
  ServiceLabels: {},
  Slot: 1,
  Spec: {},
  SpecVersion: 1,
  Ports: [],
  Status: { Timestamp: at, State: 'new', Message: 'created' },
  DesiredState: 'running',
  ...fields,
});

/** Nodes with tasks of several services that come one after the other. */
class Placed {
  #tasks: readonly TaskRecord[] = [];

  constructor(private readonly nodes: readonly SchedulableNode[]) {}

  add(count: number, fields: Partial<TaskRecord> = {}): this {
    const tasks = Array.from({ length: count }, (_, index) => task(`${this.#tasks.length + index}`, fields));
    const placements = scheduleTasks(tasks, this.nodes, usageOf(this.#tasks, Date.parse(at)));
    const placed = tasks.flatMap((each) => {
      const placement = placements.get(each.ID);
      if (placement === undefined || !('nodeId' in placement)) return [];
      const Status = { ...each.Status, State: 'running' as const };
      return [{ ...each, NodeID: placement.nodeId, Status }];
    });
    this.#tasks = [...this.#tasks, ...placed];
    return this;
  }

  clear(node: string): this {
    this.#tasks = this.#tasks.filter(({ NodeID: id }) => id !== node);
    return this;
  }

  /** How many tasks of a service are on each node. */
  counts(service: string): Readonly<Record<string, number>> {
    const counts = Object.fromEntries(this.nodes.map(({ ID: id }) => [id, 0]));
    for (const { NodeID: node = '', ServiceID: owner } of this.#tasks) {
      if (owner === service) counts[node] = (counts[node] ?? 0) + 1;
    }
    return counts;
  }
}

const sorted = (counts: Readonly<Record<string, number>>): readonly number[] => Object.values(counts).sort();

test('services that grow one after the other leave no node with much more than the others', (t) => {
  const placed = new Placed(['a', 'b', 'c', 'd', 'e'].map((id) => makeNode(id))).add(18);
  t.deepEqual(sorted(placed.counts('one')), [3, 3, 4, 4, 4]);
  placed.add(2, { ServiceID: 'two' });
  for (const [node, count] of Object.entries(placed.counts('two'))) {
    if (count > 0) t.is(placed.counts('one')[node], 3, 'the emptier nodes come first');
  }
  placed.add(3);
  t.deepEqual(sorted(placed.counts('one')), [4, 4, 4, 4, 5]);
  placed.add(1, { ServiceID: 'two' });
  for (const [node, count] of Object.entries(placed.counts('two'))) {
    if (count > 0) t.is(placed.counts('one')[node], 4);
  }
});

test('a node that has become empty is filled first', (t) => {
  const placed = new Placed(['a', 'b', 'c'].map((id) => makeNode(id))).add(12).clear('a').add(4);
  t.deepEqual(placed.counts('one'), { a: 4, b: 4, c: 4 });
});

const labelled = (id: string, Labels: Readonly<Record<string, string>>, memory = 8): SchedulableNode =>
  makeNode(id, {
    Spec: { Role: 'worker', Availability: 'active', Labels },
    Description: { Resources: { MemoryBytes: memory * gibibyte } },
  });

const spreading = (...labels: readonly string[]): TaskSpec => ({
  Placement: { Preferences: labels.map((label) => ({ Spread: { SpreadDescriptor: `node.labels.${label}` } })) },
});

test('a branch that is full leaves its part to the others, which spread it in turn', (t) => {
  const nodes = [
    labelled('tiny', { zone: '1', rack: '1' }, 0.5),
    labelled('small', { zone: '1', rack: '1' }, 5),
    ...['c', 'd', 'e'].map((id) => labelled(id, { zone: '2', rack: '1' })),
    ...['f', 'g'].map((id) => labelled(id, { zone: '2', rack: '2' })),
  ];
  const Spec = { ...spreading('zone', 'rack'), Resources: { Reservations: { MemoryBytes: gibibyte } } };
  const counts = new Placed(nodes).add(12, { Spec }).counts('one');
  const racks = [(counts.c ?? 0) + (counts.d ?? 0) + (counts.e ?? 0), (counts.f ?? 0) + (counts.g ?? 0)];
  t.deepEqual([counts.tiny, counts.small], [0, 5]);
  t.deepEqual(racks.sort(), [3, 4]);
  t.true([counts.c, counts.d, counts.e, counts.f, counts.g].every((count) => (count ?? 0) >= 1));
});

test('more replicas level out branches that were uneven', (t) => {
  const nodes = ['1', '2'].flatMap((center) =>
    ['1', '2', '3'].map((rack) => labelled(`${center}${rack}`, { center, rack })),
  );
  const Spec = spreading('center', 'rack');
  const placed = new Placed(nodes);
  for (const [NodeID, count] of [
    ['11', 3],
    ['12', 1],
    ['13', 2],
    ['21', 1],
    ['22', 2],
    ['23', 2],
  ] as const) {
    placed.add(count, { NodeID, Spec });
  }
  const { '12': first = 0, '21': second = 0 } = placed.add(2, { Spec }).counts('one');
  t.is(first + second, 4, 'both are on the least used nodes');
});

test('tasks that can only be on one node are placed before those that find another', (t) => {
  const nodes = ['a', 'b'].map((id) => makeNode(id));
  const free = task('free', { ServiceID: 'one' });
  const bound = ['x', 'y'].map((id) => task(id, { ServiceID: `global ${id}`, NodeID: 'a' }));
  const placements = scheduleTasks([free, ...bound], nodes, new Map());
  t.like(placements.get('free'), { nodeId: 'b' });
  t.like(placements.get('x'), { nodeId: 'a' });
});

test('a node where a service fails is tried five times, then another one, whatever its tasks', (t) => {
  const nodes = ['a', 'b'].map((id) => makeNode(id));
  const other = task('other', { NodeID: 'a', Status: { Timestamp: at, State: 'running', Message: '' } });
  const failed: TaskRecord[] = [];
  const tried = Array.from({ length: 8 }, (_, index) => {
    const next = task(`t${index}`);
    const placement = scheduleTasks([next], nodes, usageOf([other, ...failed], Date.parse(at))).get(next.ID);
    const NodeID = placement !== undefined && 'nodeId' in placement ? placement.nodeId : '';
    failed.push({ ...next, NodeID, Status: { Timestamp: at, State: 'failed', Message: '' } });
    return NodeID;
  });
  t.deepEqual(tried, ['b', 'b', 'b', 'b', 'b', 'a', 'a', 'a']);
});

test('the task of a global service is placed on its node however often it has failed there', (t) => {
  const failed = Array.from({ length: 9 }, (_, index) =>
    task(`t${index}`, { NodeID: 'a', Status: { Timestamp: at, State: 'failed', Message: '' } }),
  );
  const nodes = ['a', 'b'].map((id) => makeNode(id));
  const placements = scheduleTasks([task('next', { NodeID: 'a' })], nodes, usageOf(failed, Date.parse(at)));
  t.like(placements.get('next'), { nodeId: 'a' });
});

test('the task with room only on the fuller node goes there', (t) => {
  const running = (id: string, NodeID: string, memory: number) =>
    task(id, {
      NodeID,
      Spec: { Resources: { Reservations: { MemoryBytes: memory * gibibyte } } },
      Status: { Timestamp: at, State: 'running', Message: '' },
    });
  const nodes = [makeNode('a'), makeNode('b')];
  const placed = [running('x', 'a', 7), ...['u', 'v', 'w'].map((id) => running(id, 'b', 1))];
  const Spec = { Resources: { Reservations: { MemoryBytes: gibibyte } } };
  const placements = scheduleTasks(
    ['1', '2'].map((id) => task(id, { Spec })),
    nodes,
    usageOf(placed, Date.parse(at)),
  );
  t.deepEqual([...placements.values()].map((placement) => ('nodeId' in placement ? placement.nodeId : '')).sort(), [
    'a',
    'b',
  ]);
});

test('a node without a platform runs no task that asks for one', (t) => {
  const nodes = [makeNode('a', { Description: { Hostname: 'a' } })];
  const placementOf = (Spec: TaskSpec) => scheduleTasks([task('t', { Spec })], nodes, new Map()).get('t');
  t.deepEqual(placementOf({ Placement: { Platforms: [{ OS: 'linux', Architecture: 'amd64' }] } }), {
    reason: 'no suitable node (unsupported platform on 1 node)',
  });
  t.like(placementOf({ Placement: { Platforms: [] } }), { nodeId: 'a' });
});
