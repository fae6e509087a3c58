import test from 'ava';
import { makeNode, makeService, makeSpec, Simulation } from '../testing/simulation.js';

const onNodes = (simulation: Simulation) => simulation.running.map(({ NodeID: node }) => node).sort();

const global = (constraints: readonly string[] = []): Simulation =>
  new Simulation(
    makeService(
      makeSpec({ Mode: { Global: {} }, TaskTemplate: { ContainerSpec: {}, Placement: { Constraints: constraints } } }),
    ),
    { nodes: ['a', 'b', 'c'].map((id) => makeNode(id)) },
  ).settle();

test('a global service runs once on every node', (t) => {
  t.deepEqual(onNodes(global()), ['a', 'b', 'c']);
});

test('a node that joins gets a task', (t) => {
  const simulation = global();
  simulation.nodes.set('d', makeNode('d'));
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b', 'c', 'd']);
});

test('a drained node loses its task and gets one again when it is active', (t) => {
  const simulation = global();
  simulation.nodes.set('a', makeNode('a', { Spec: { Role: 'worker', Availability: 'drain' } }));
  t.deepEqual(onNodes(simulation.settle()), ['b', 'c']);
  simulation.nodes.set('a', makeNode('a'));
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b', 'c']);
});

test('only nodes that meet the constraints get a task', (t) => {
  t.deepEqual(onNodes(global(['node.id!=b'])), ['a', 'c']);
});

test('a node that does not meet the constraints any more loses its task', (t) => {
  const simulation = global(['node.labels.disk!=slow']);
  simulation.nodes.set(
    'c',
    makeNode('c', { Spec: { Role: 'worker', Availability: 'active', Labels: { disk: 'slow' } } }),
  );
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b']);
});

const job = (mode: object): Simulation =>
  new Simulation(
    makeService(makeSpec({ Mode: mode, TaskTemplate: { ContainerSpec: {}, RestartPolicy: { Delay: 0 } } }), {
      JobStatus: { Iteration: 0, LastExecution: '' },
    }),
    { nodes: ['a', 'b'].map((id) => makeNode(id)) },
  );

test('a replicated job never runs more tasks than allowed and ends with its completions', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2, TotalCompletions: 5 } }).settle();
  t.is(simulation.running.length, 2);
  for (let times = 0; times < 5; times++) {
    t.true(simulation.running.length <= 2);
    for (const task of simulation.running.slice(0, 1)) simulation.report(task, 'complete');
    simulation.settle();
  }
  t.deepEqual(
    simulation.tasks.map(({ Status: status }) => status.State),
    Array(5).fill('complete'),
  );
});

test('a failed task of a job is restarted', (t) => {
  const simulation = job({ ReplicatedJob: { TotalCompletions: 1 } }).settle();
  for (const task of simulation.running) simulation.report(task, 'failed');
  t.is(simulation.settle().running.length, 1);
});

test('a job runs again with its next iteration', (t) => {
  const simulation = job({ ReplicatedJob: {} });
  simulation.startsAs = () => 'complete';
  simulation.settle();
  const service = simulation.service;
  if (service === undefined) return t.fail();
  simulation.service = { ...service, JobStatus: { Iteration: 1, LastExecution: '' } };
  t.deepEqual(
    simulation.settle().tasks.map(({ JobIteration: iteration }) => iteration),
    [1],
  );
});

test('a global job completes once on every node', (t) => {
  const simulation = job({ GlobalJob: {} });
  simulation.startsAs = () => 'complete';
  simulation.settle();
  t.deepEqual(
    simulation.tasks.map(({ NodeID: node, Status: status }) => [node, status.State]),
    [
      ['a', 'complete'],
      ['b', 'complete'],
    ],
  );
});
