import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import test from 'ava';
import type { TaskRecord } from '../records/task-record.js';
import type { TaskSpec } from '../spec/service-spec.js';
import { makeNode, makeService, makeSpec, Simulation, second } from '../testing/simulation.js';
import { toTask } from '../wire/to-task.js';

const replicated = (replicas: number, nodes?: readonly string[]): Simulation =>
  new Simulation(makeService(makeSpec({ Mode: { Replicated: { Replicas: replicas } } })), {
    ...(nodes !== undefined && { nodes: nodes.map((id) => makeNode(id)) }),
  }).settle();

const slots = (simulation: Simulation) => simulation.running.map(({ Slot: slot }) => slot).sort();

test('every replica runs in a slot of its own', (t) => {
  t.deepEqual(slots(replicated(3)), [1, 2, 3]);
});

test('more replicas take the lowest free slots', (t) => {
  const simulation = replicated(3).scale(1).settle().scale(4).settle();
  t.deepEqual(slots(simulation), [1, 2, 3, 4]);
});

test('fewer replicas are taken from the nodes that have the most', (t) => {
  const simulation = replicated(6, ['a', 'b', 'c']).scale(3).settle();
  t.deepEqual(simulation.running.map(({ NodeID: node }) => node).sort(), ['a', 'b', 'c']);
});

test('a replica that does not run is removed before one that does', (t) => {
  const simulation = replicated(2);
  const [first] = simulation.running;
  if (first === undefined) return t.fail('nothing runs');
  simulation.startsAs = () => 'starting';
  simulation.report(first, 'failed').advance(5_000);
  simulation.scale(1).settle();
  t.deepEqual(slots(simulation), [2]);
});

test('removed tasks are deleted once they have stopped, not before', (t) => {
  const simulation = replicated(2);
  simulation.holdsStops = true;
  simulation.scale(1).settle();
  t.is(simulation.tasks.length, 2);
  simulation.holdsStops = false;
  t.is(simulation.settle().tasks.length, 1);
});

test('a slot is not used again while its task is being stopped', (t) => {
  const simulation = replicated(2);
  simulation.holdsStops = true;
  simulation.scale(1).settle().scale(2).settle();
  const inSlot = simulation.tasks.filter(({ Slot: slot }) => slot === 2);
  t.deepEqual(inSlot.map(({ Status: status }) => status.State).sort(), ['ready', 'running']);
  simulation.holdsStops = false;
  t.deepEqual(slots(simulation.settle()), [1, 2]);
});

const reserving = (MemoryBytes: number, replicas: number): Simulation =>
  new Simulation(
    makeService(
      makeSpec({
        Mode: { Replicated: { Replicas: replicas } },
        TaskTemplate: { RestartPolicy: { Delay: 0 }, Resources: { Reservations: { MemoryBytes } } },
      }),
    ),
    { nodes: [makeNode('a'), makeNode('b')] },
  ).settle();

const withMemory = (id: string, MemoryBytes: number) => makeNode(id, { Description: { Resources: { MemoryBytes } } });

test('tasks move when the resources of their node shrink below their reservations', (t) => {
  const simulation = reserving(2 ** 30, 4);
  simulation.nodes.set('a', withMemory('a', 1.5 * 2 ** 30));
  simulation.settle();
  t.deepEqual(simulation.running.map(({ NodeID: node }) => node).sort(), ['a', 'b', 'b', 'b']);
  t.deepEqual(slots(simulation), [1, 2, 3, 4]);
});

test('tasks that no other node has room for wait until one has', (t) => {
  const simulation = reserving(2 ** 30, 2);
  for (const id of ['a', 'b']) simulation.nodes.set(id, withMemory(id, 2 ** 20));
  simulation.settle();
  t.is(simulation.running.length, 0);
  t.deepEqual(
    simulation.live.map(({ Status: status }) => status.Err),
    Array.from({ length: 2 }, () => 'no suitable node (insufficient resources on 2 nodes)'),
  );
  simulation.nodes.set('b', withMemory('b', 4 * 2 ** 30));
  simulation.settle();
  t.deepEqual(
    simulation.running.map(({ NodeID: node }) => node),
    ['b', 'b'],
  );
});

test('tasks that reserve nothing stay on a node whose resources shrink', (t) => {
  const simulation = replicated(2, ['a', 'b']);
  const before = simulation.running.map(({ ID: id }) => id);
  simulation.nodes.set('a', withMemory('a', 0));
  t.deepEqual(
    simulation.settle().running.map(({ ID: id }) => id),
    before,
  );
});

test('the tasks of a removed service are stopped and deleted', (t) => {
  const simulation = replicated(3);
  simulation.service = undefined;
  t.deepEqual(simulation.settle().tasks, []);
});

test('the tasks of a drained node are replaced at once', (t) => {
  const simulation = replicated(4, ['a', 'b']);
  simulation.nodes.set('a', makeNode('a', { Spec: { Role: 'worker', Availability: 'drain' } }));
  simulation.settle();
  t.deepEqual(
    simulation.running.map(({ NodeID: node }) => node),
    ['b', 'b', 'b', 'b'],
  );
});

test('the tasks of a node that is down are replaced without waiting for their end', (t) => {
  const simulation = replicated(2, ['a', 'b']);
  simulation.nodes.set('a', makeNode('a', { Status: { State: 'down' } }));
  simulation.settle();
  const wanted = simulation.running.filter(({ DesiredState: desired }) => desired === 'running');
  t.deepEqual(
    wanted.map(({ NodeID: node }) => node),
    ['b', 'b'],
  );
});

test('the tasks of a paused node go on, and new ones go elsewhere', (t) => {
  const simulation = replicated(2, ['a', 'b']);
  simulation.nodes.set('a', makeNode('a', { Spec: { Role: 'worker', Availability: 'pause' } }));
  simulation.scale(4).settle();
  t.deepEqual(simulation.running.map(({ NodeID: node }) => node).sort(), ['a', 'b', 'b', 'b']);
});

test('a task whose node is removed from the cluster is orphaned and replaced', (t) => {
  const simulation = replicated(2, ['a', 'b']);
  simulation.nodes.delete('a');
  simulation.settle();
  t.deepEqual(
    simulation.running.map(({ NodeID: node }) => node),
    ['b', 'b'],
  );
  t.deepEqual(
    simulation.tasks.filter(({ NodeID: node }) => node === 'a').map(({ Status: status }) => status.State),
    ['orphaned'],
  );
});

const constrained = (
  constraint: string,
  replicas = 2,
  policy: TaskSpec['RestartPolicy'] = { Delay: 0 },
): Simulation => {
  const spec = makeSpec({
    Mode: { Replicated: { Replicas: replicas } },
    TaskTemplate: { ContainerSpec: {}, RestartPolicy: policy, Placement: { Constraints: [constraint] } },
  });
  return new Simulation(makeService(spec), { nodes: [disk('a', 'ssd'), disk('b', 'ssd')] }).settle();
};

const disk = (id: string, value: string) =>
  makeNode(id, { Spec: { Role: 'worker', Availability: 'active', Labels: { disk: value } } });

const onNodes = (simulation: Simulation) => simulation.running.map(({ NodeID: node }) => node).sort();

test('the tasks of a node that does not meet the constraints any more are replaced elsewhere, after the delay of their policy', (t) => {
  const simulation = constrained('node.labels.disk==ssd', 2, { Delay: 5 * second });
  t.deepEqual(onNodes(simulation), ['a', 'b']);
  simulation.nodes.set('a', disk('a', 'slow'));
  t.deepEqual(onNodes(simulation.settle()), ['b']);
  t.deepEqual(onNodes(simulation.advance(5_000)), ['b', 'b']);
});

test('a task whose node stops meeting the constraints is shown as rejected, and its place is kept until it has stopped', (t) => {
  const simulation = constrained('node.labels.disk==ssd', 1);
  simulation.holdsStops = true;
  simulation.nodes.set('a', disk('a', 'slow'));
  simulation.nodes.set('b', disk('b', 'slow'));
  simulation.advance(60_000);
  const [rejected, waiting] = simulation.tasks;
  if (rejected === undefined || waiting === undefined) return t.fail('nothing is rejected and replaced');
  const shown = { State: 'rejected', Err: 'assigned node no longer meets constraints' };
  const statusOf = (value: TaskRecord) => toTask({} as ClusterStore, { value } as ClusterRecord<TaskRecord>).Status;
  t.like(statusOf(rejected), shown);
  t.deepEqual([rejected.Status.State, rejected.DesiredState, waiting.DesiredState], ['running', 'shutdown', 'ready']);
  simulation.holdsStops = false;
  simulation.settle();
  t.deepEqual([simulation.tasks[0]?.Status.State, simulation.tasks[1]?.DesiredState], ['shutdown', 'running']);
  t.like(statusOf(simulation.tasks[0] as TaskRecord), shown);
});

test('a task that its policy does not restart is not replaced when its node stops meeting the constraints', (t) => {
  const simulation = constrained('node.labels.disk==ssd', 1, { Condition: 'none' });
  simulation.nodes.set('a', disk('a', 'slow'));
  simulation.nodes.set('b', disk('b', 'slow'));
  t.is(simulation.advance(60_000).tasks.length, 1);
});

test('tasks on a paused node go on whatever its labels', (t) => {
  const simulation = constrained('node.labels.disk==ssd');
  for (const id of ['a', 'b']) {
    simulation.nodes.set(id, makeNode(id, { Spec: { Role: 'worker', Availability: 'pause', Labels: {} } }));
  }
  t.deepEqual(onNodes(simulation.advance(60_000)), ['a', 'b']);
});

test('a task stays on a node whose other labels change', (t) => {
  const simulation = constrained('node.labels.disk!=slow');
  const before = simulation.running;
  simulation.nodes.set('a', disk('a', 'other'));
  t.deepEqual(simulation.settle().running, before);
});

test('an update of constraints only restarts the tasks of nodes that do not meet them', (t) => {
  const simulation = constrained('node.labels.disk==ssd');
  const kept = simulation.running.filter(({ NodeID: node }) => node === 'b').map(({ ID }) => ID);
  const spec = simulation.service?.Spec ?? {};
  const TaskTemplate = { ...spec.TaskTemplate, Placement: { Constraints: ['node.id==b'] } };
  simulation.update({ ...spec, TaskTemplate }).advance(60_000);
  t.deepEqual(onNodes(simulation), ['b', 'b']);
  t.true(simulation.running.some(({ ID }) => kept.includes(ID)));
});

test('an update of constraints moves one task at a time', (t) => {
  const simulation = constrained('node.labels.disk==ssd', 4);
  simulation.nodes.set('c', disk('c', 'tape'));
  const spec = simulation.service?.Spec ?? {};
  const TaskTemplate = { ...spec.TaskTemplate, Placement: { Constraints: ['node.id==c'] } };
  simulation.update({ ...spec, TaskTemplate, UpdateConfig: { Parallelism: 1, Delay: 1e9 } }).settle();
  t.deepEqual(onNodes(simulation), ['a', 'b', 'b', 'c']);
  t.deepEqual(onNodes(simulation.advance(60_000)), ['c', 'c', 'c', 'c']);
  t.false(simulation.tasks.some(({ RejectedAt: at }) => at !== undefined));
});

test('an update of preferences restarts nothing, and its constraints hold from then on', (t) => {
  const simulation = constrained('node.labels.disk==ssd');
  const before = simulation.running.map(({ ID }) => ID);
  const spec = simulation.service?.Spec ?? {};
  const Placement = {
    Preferences: [{ Spread: { SpreadDescriptor: 'node.id' } }],
    Constraints: ['node.labels.disk!=slow'],
  };
  simulation.update({ ...spec, TaskTemplate: { ...spec.TaskTemplate, Placement } }).settle();
  t.deepEqual(
    simulation.running.map(({ ID }) => ID),
    before,
  );
  simulation.nodes.set('a', disk('a', 'slow'));
  t.deepEqual(onNodes(simulation.advance(60_000)), ['b', 'b']);
  t.is(simulation.service?.UpdateStatus, undefined);
});

test('a task that waits for a node is placed when one meets its constraints', (t) => {
  const simulation = constrained('node.labels.disk==tape', 1);
  t.deepEqual(
    simulation.tasks.map(({ Status }) => [Status.State, Status.Err]),
    [['pending', 'no suitable node (scheduling constraints not satisfied on 2 nodes)']],
  );
  simulation.nodes.set('b', disk('b', 'tape'));
  t.deepEqual(onNodes(simulation.settle()), ['b']);
});

test('a task that waits for a node is replaced by an update that can be placed', (t) => {
  const simulation = constrained('node.labels.disk==tape', 1);
  const spec = simulation.service?.Spec ?? {};
  const TaskTemplate = { ...spec.TaskTemplate, Placement: { Constraints: ['node.id==a'] } };
  simulation.update({ ...spec, TaskTemplate }).advance(60_000);
  t.deepEqual(onNodes(simulation), ['a']);
  t.is(simulation.live.length, 1);
});

test('a task that is not wanted any more is not placed', (t) => {
  const simulation = constrained('node.labels.disk==tape', 3);
  simulation.scale(1).settle();
  simulation.nodes.set('b', disk('b', 'tape'));
  t.deepEqual(onNodes(simulation.settle()), ['b']);
});

test('tasks that were never placed are deleted with their service at once', (t) => {
  const simulation = constrained('node.labels.disk==tape', 3);
  simulation.service = undefined;
  simulation.pass();
  t.deepEqual(simulation.tasks, []);
});

test('tasks that have ended are deleted with their service at once', (t) => {
  const simulation = replicated(2);
  for (const task of simulation.running) simulation.report(task, 'failed');
  simulation.service = undefined;
  simulation.pass();
  t.deepEqual(simulation.tasks, []);
});

test('what a leader finds failed or rejected it replaces, and what it finds in the delay it leaves waiting', (t) => {
  const simulation = replicated(3);
  const [failed, rejected] = simulation.running;
  if (failed === undefined || rejected === undefined) return t.fail('nothing runs');
  simulation.report(failed, 'failed').report(rejected, 'rejected').pass();
  const waiting = simulation.live.filter(({ StartAfter }) => StartAfter !== undefined).length;
  t.is(waiting, 2);
  simulation.settle();
  t.is(simulation.live.filter(({ DesiredState }) => DesiredState === 'ready').length, 2);
  t.is(simulation.advance(5_000).running.length, 3);
});

test('a service without replicas has no tasks, and gets them when it has', (t) => {
  const simulation = replicated(0);
  t.deepEqual(simulation.tasks, []);
  t.is(simulation.scale(2).settle().running.length, 2);
});

test('a pass over its own result changes nothing', (t) => {
  const simulation = replicated(3);
  t.false(simulation.pass());
});
