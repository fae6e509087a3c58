import test from 'ava';
import type { TaskRecord } from '../records/task-record.js';
import type { ServiceSpec } from '../spec/service-spec.js';
import { makeNode, makeService, makeSpec, Simulation } from '../testing/simulation.js';

const onNodes = (simulation: Simulation) => simulation.live.map(({ NodeID: node }) => node).sort();

/** A service as a leader finds it that has just taken over: its tasks run where an earlier one has placed them. */
function found(Mode: NonNullable<ServiceSpec['Mode']>, nodes: readonly string[]): Simulation {
  const ids = ['a', 'b', 'c'];
  return new Simulation(makeService(makeSpec({ Mode })), { nodes: ids.map((id) => makeNode(id)) }).find(
    ...nodes.map((node, index) => running(`t${index}`, node, Mode.Global === undefined ? { Slot: index + 1 } : {})),
  );
}

const running = (ID: string, NodeID: string, fields: Partial<TaskRecord> = {}): TaskRecord => ({
  ID,
  NodeID,
  CreatedAt: '2023-01-01T00:00:00Z',
  StartedAt: '2023-01-01T00:00:00Z',
  ServiceID: 'service',
  ServiceName: 'web',
  ServiceLabels: {},
  Spec: makeSpec().TaskTemplate ?? {},
  SpecVersion: 1,
  Ports: [],
  Status: { Timestamp: '2023-01-01T00:00:00Z', State: 'running', Message: 'started' },
  DesiredState: 'running',
  ...fields,
});

const replicated = (replicas: number) => ({ Replicated: { Replicas: replicas } });
const drained = (id: string) => makeNode(id, { Spec: { Role: 'worker', Availability: 'drain' } });

test('tasks on a node that has not been heard of yet go on, and no others are placed there', (t) => {
  const simulation = found(replicated(2), ['a', 'b']);
  simulation.nodes.set('a', makeNode('a', { Status: { State: 'unknown' } }));
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b']);
  t.deepEqual(onNodes(simulation.scale(5).settle()), ['a', 'b', 'b', 'c', 'c']);
});

test('tasks found on nodes that are down or drained are replaced elsewhere at once', (t) => {
  const simulation = found(replicated(3), ['a', 'b', 'c']);
  simulation.nodes.set('a', makeNode('a', { Status: { State: 'down' } }));
  simulation.nodes.set('b', drained('b'));
  t.deepEqual(onNodes(simulation.settle()), ['c', 'c', 'c']);
});

test('a task that appears on a node that is down is replaced, too', (t) => {
  const simulation = found(replicated(2), ['b']);
  simulation.nodes.set('a', makeNode('a', { Status: { State: 'down' } }));
  simulation.settle().find(running('late', 'a', { Slot: 3 }));
  const late = () => simulation.tasks.find(({ ID: id }) => id === 'late');
  t.is(simulation.scale(3).settle() && late()?.DesiredState, 'shutdown');
  t.false(onNodes(simulation).includes('a'));
});

test('a task on a node that is not listed is orphaned', (t) => {
  const simulation = found({ Global: {} }, ['nosuch', 'a']);
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b', 'c']);
  t.is(simulation.tasks.find(({ NodeID: node }) => node === 'nosuch')?.Status.State, 'orphaned');
});

test('a global task on a drained node is stopped, and is not made again by an update', (t) => {
  const simulation = found({ Global: {} }, ['a', 'b', 'c']);
  simulation.nodes.set('a', drained('a'));
  t.deepEqual(onNodes(simulation.settle()), ['b', 'c']);
  const spec = simulation.service?.Spec ?? {};
  simulation.update({ ...spec, TaskTemplate: { ...spec.TaskTemplate, ForceUpdate: 1 } }).advance(60_000);
  t.deepEqual(onNodes(simulation), ['b', 'c']);
  simulation.nodes.set('a', makeNode('a'));
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b', 'c']);
});

test('a global task on a node that is down is not made again by an update', (t) => {
  const simulation = found({ Global: {} }, ['a', 'b', 'c']);
  simulation.nodes.set('a', makeNode('a', { Status: { State: 'down' } }));
  const spec = simulation.settle().service?.Spec ?? {};
  simulation.update({ ...spec, TaskTemplate: { ...spec.TaskTemplate, ForceUpdate: 1 } }).advance(60_000);
  t.deepEqual(onNodes(simulation), ['b', 'c']);
});

test('tasks of a service that is gone are stopped, and deleted once they have', (t) => {
  const simulation = found(replicated(2), ['a', 'b']);
  simulation.service = undefined;
  simulation.holdsStops = true;
  simulation.settle();
  t.deepEqual(
    simulation.tasks.map(({ DesiredState: desired }) => desired),
    ['remove', 'remove'],
  );
  simulation.holdsStops = false;
  t.deepEqual(simulation.settle().tasks, []);
});

test('more tasks than replicas: those without a node go first, then those of the fullest node with the highest slots', (t) => {
  const simulation = found(replicated(6), ['b', 'b', 'b', 'c', 'c', 'c']);
  simulation.find(
    running('unplaced', '', {
      Slot: 7,
      Status: { Timestamp: '2023-01-01T00:00:00Z', State: 'new', Message: 'created' },
    }),
  );
  const slots = () => simulation.live.map(({ Slot: slot }) => slot);
  simulation.settle();
  t.deepEqual(slots(), [1, 2, 3, 4, 5, 6]);
  t.deepEqual(simulation.scale(4).settle() && slots(), [1, 2, 4, 5]);
  t.deepEqual(simulation.scale(1).settle() && slots(), [1]);
});

test('a slot whose tasks are gone gets one again', (t) => {
  const simulation = found(replicated(3), ['a', 'b']);
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b', 'c']);
});
