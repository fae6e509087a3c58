import test from 'ava';
import { makeNode, makeService, makeSpec, Simulation } from '../testing/simulation.js';

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

test('a pass over its own result changes nothing', (t) => {
  const simulation = replicated(3);
  t.false(simulation.pass());
});
