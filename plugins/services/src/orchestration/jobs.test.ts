import test from 'ava';
import type { ServiceRecord } from '../records/service-record.js';
import type { RestartPolicy, ServiceSpec } from '../spec/service-spec.js';
import { makeNode, makeService, makeSpec, Simulation } from '../testing/simulation.js';

const job = (Mode: NonNullable<ServiceSpec['Mode']>, RestartPolicy: RestartPolicy = { Delay: 0 }): Simulation =>
  new Simulation(
    makeService(makeSpec({ Mode, TaskTemplate: { ContainerSpec: {}, RestartPolicy } }), {
      JobStatus: { Iteration: 0, LastExecution: '' },
    }),
    { nodes: ['a', 'b'].map((id) => makeNode(id)) },
  );

/** As an update of a job does. */
function runAgain(simulation: Simulation, Iteration = 1): Simulation {
  const service = simulation.service as ServiceRecord;
  simulation.service = { ...service, JobStatus: { Iteration, LastExecution: '' } };
  return simulation.settle();
}

const slotsOf = (simulation: Simulation) => simulation.running.map(({ Slot: slot }) => slot).sort();
const drained = (id: string) => makeNode(id, { Spec: { Role: 'worker', Availability: 'drain' } });
const paused = (id: string) => makeNode(id, { Spec: { Role: 'worker', Availability: 'pause' } });

test('a job begins with as many tasks as may run at once, each in a slot of its own', (t) => {
  t.deepEqual(slotsOf(job({ ReplicatedJob: { MaxConcurrent: 3, TotalCompletions: 10 } }).settle()), [1, 2, 3]);
});

test('without a total a job completes as often as it may run at once', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 3 } });
  simulation.startsAs = () => 'complete';
  t.is(simulation.settle().tasks.length, 3);
});

test('what a leader finds running of a job is completed to the tasks that may run at once', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 1, TotalCompletions: 10 } }).settle();
  const service = simulation.service as ServiceRecord;
  const ReplicatedJob = { MaxConcurrent: 4, TotalCompletions: 10 };
  simulation.service = { ...service, Spec: { ...service.Spec, Mode: { ReplicatedJob } } };
  t.deepEqual(slotsOf(simulation.settle()), [1, 2, 3, 4]);
});

test('tasks of a job have the log driver of the swarm, unless theirs says another', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2 } });
  simulation.logDriver = { Name: 'local' };
  simulation.settle();
  t.deepEqual(
    simulation.tasks.map(({ LogDriver: driver }) => driver?.Name),
    ['local', 'local'],
  );
});

test('the slot of a failed task of a job is used again, those of completed tasks are not', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2, TotalCompletions: 4 } }).settle();
  const [first, second] = simulation.running;
  if (first === undefined || second === undefined) return t.fail('nothing runs');
  simulation.report(first, 'complete').report(second, 'failed').settle();
  t.deepEqual(slotsOf(simulation), [2, 3]);
});

test('a task of a job on a drained node is replaced in its slot, and counts no completion', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2, TotalCompletions: 2 } }).settle();
  simulation.nodes.set('a', drained('a'));
  t.deepEqual(slotsOf(simulation.settle()), [1, 2]);
  t.deepEqual(
    simulation.running.map(({ NodeID: node }) => node),
    ['b', 'b'],
  );
});

test('a task of a job that is being stopped is waited for before its slot is used again', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2, TotalCompletions: 2 } }).settle();
  simulation.holdsStops = true;
  simulation.nodes.set('a', drained('a'));
  simulation.settle();
  t.is(simulation.running.length, 2);
  t.is(simulation.live.filter(({ DesiredState: desired }) => desired === 'ready').length, 1);
});

test('the next run removes the tasks of the last one that have not ended, and leaves the others as history', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2, TotalCompletions: 4 } }).settle();
  const [first] = simulation.running;
  if (first === undefined) return t.fail('nothing runs');
  simulation.report(first, 'complete').settle();
  runAgain(simulation);
  t.deepEqual(
    simulation.tasks.map(({ JobIteration: iteration, Slot: slot, Status }) => [iteration, slot, Status.State]),
    [
      [0, 1, 'complete'],
      [1, 1, 'running'],
      [1, 2, 'running'],
    ],
  );
});

test('the history limit holds for the runs of a job', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2 } });
  simulation.startsAs = () => 'complete';
  for (let run = 1; run < 9; run++) runAgain(simulation.settle(), run);
  t.deepEqual(
    simulation.settle().tasks.map(({ JobIteration: iteration }) => iteration),
    [4, 4, 5, 5, 6, 6, 7, 7, 8, 8],
  );
});

test('the next run of a global job replaces the task of every node', (t) => {
  const simulation = runAgain(job({ GlobalJob: {} }).settle());
  t.deepEqual(simulation.tasks.map(({ JobIteration, NodeID }) => [JobIteration, NodeID]).sort(), [
    [1, 'a'],
    [1, 'b'],
  ]);
});

test('a failed task of a job that is not restarted keeps its slot, and the others go on', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 1, TotalCompletions: 3 } }, { Condition: 'none' }).settle();
  const [first] = simulation.running;
  if (first === undefined) return t.fail('nothing runs');
  t.deepEqual(slotsOf(simulation.report(first, 'failed').settle()), [2]);
});

test('the restarts of a job are counted for each slot, and anew for each run', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2 } }, { Delay: 0, MaxAttempts: 1 });
  simulation.startsAs = () => 'failed';
  const tasksOf = (run: number) => simulation.tasks.filter(({ JobIteration }) => JobIteration === run).length;
  simulation.advance(60_000);
  t.is(tasksOf(0), 4);
  runAgain(simulation).advance(60_000);
  t.is(tasksOf(1), 4);
});

test('a global job is not run on nodes that are paused, drained or not ready', (t) => {
  const simulation = job({ GlobalJob: {} });
  simulation.nodes.set('a', paused('a'));
  simulation.nodes.set('c', drained('c'));
  simulation.nodes.set('d', makeNode('d', { Status: { State: 'down' } }));
  simulation.nodes.set('e', makeNode('e', { Status: { State: 'unknown' } }));
  t.deepEqual(
    simulation.settle().tasks.map(({ NodeID: node }) => node),
    ['b'],
  );
});

test('a job whose service is removed ends', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2, TotalCompletions: 4 } }).settle();
  simulation.service = undefined;
  t.deepEqual(simulation.settle().tasks, []);
});
