import test from 'ava';
import type { ServiceRecord } from '../records/service-record.js';
import type { RestartPolicy } from '../spec/service-spec.js';
import { makeNode, makeService, makeSpec, Simulation } from '../testing/simulation.js';
import { shownState } from '../wire/to-task.js';

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
  const left = simulation.tasks.find(({ NodeID: node }) => node === 'c');
  t.deepEqual([left?.DesiredState, left?.RejectedAt === undefined], ['shutdown', false]);
  simulation.nodes.set('c', makeNode('c'));
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b', 'c']);
});

test('an update that excludes a node stops the task of a global service there', (t) => {
  const simulation = global();
  const spec = simulation.service?.Spec ?? {};
  const TaskTemplate = { ...spec.TaskTemplate, Placement: { Constraints: ['node.id!=c'] } };
  simulation.update({ ...spec, TaskTemplate }).settle();
  t.deepEqual(onNodes(simulation), ['a', 'b']);
  const left = simulation.tasks.find(({ NodeID: node }) => node === 'c');
  t.deepEqual([left?.DesiredState, left?.RejectedAt], ['shutdown', undefined]);
});

test('a paused node keeps its task, and gets none', (t) => {
  const simulation = global();
  simulation.nodes.set('a', makeNode('a', { Spec: { Role: 'worker', Availability: 'pause' } }));
  simulation.nodes.set('d', makeNode('d', { Spec: { Role: 'worker', Availability: 'pause' } }));
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b', 'c']);
});

test('a node that is down is not waited for, and has its task again when it is back', (t) => {
  const simulation = global();
  simulation.nodes.set('a', makeNode('a', { Status: { State: 'down' } }));
  simulation.settle();
  t.deepEqual(
    simulation.live.map(({ NodeID: node }) => node),
    ['b', 'c'],
  );
  simulation.nodes.set('a', makeNode('a'));
  simulation.settle();
  const wanted = simulation.running.filter(({ DesiredState }) => DesiredState === 'running');
  t.deepEqual(wanted.map(({ NodeID: node }) => node).sort(), ['a', 'b', 'c']);
});

test('a failed task of a global service is restarted on its node', (t) => {
  const simulation = global();
  const [first] = simulation.running;
  if (first === undefined) return t.fail('nothing runs');
  simulation.report(first, 'failed').advance(5_000);
  t.deepEqual(onNodes(simulation), ['a', 'b', 'c']);
});

test('without restarts a failed task of a global service stays the last of its node', (t) => {
  const spec = { Mode: { Global: {} }, TaskTemplate: { ContainerSpec: {}, RestartPolicy: { Condition: 'none' } } };
  const simulation = new Simulation(makeService(makeSpec(spec))).settle();
  for (const task of simulation.running) simulation.report(task, 'failed');
  simulation.advance(60_000);
  t.deepEqual(
    simulation.tasks.map(({ Status }) => Status.State),
    ['failed'],
  );
});

test('the tasks of a removed node are orphaned, and deleted with the service', (t) => {
  const simulation = global();
  simulation.nodes.delete('a');
  simulation.settle();
  t.deepEqual(onNodes(simulation), ['b', 'c']);
  simulation.service = undefined;
  t.deepEqual(simulation.settle().tasks, []);
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
    [0, 1],
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

const jobWith = (RestartPolicy: RestartPolicy, mode: object = { ReplicatedJob: {} }): Simulation =>
  new Simulation(
    makeService(makeSpec({ Mode: mode, TaskTemplate: { ContainerSpec: {}, RestartPolicy } }), {
      JobStatus: { Iteration: 0, LastExecution: '' },
    }),
    { nodes: ['a', 'b'].map((id) => makeNode(id)) },
  );

test('a job whose policy allows no restart ends with its failure', (t) => {
  const simulation = jobWith({ Condition: 'none' });
  simulation.startsAs = () => 'failed';
  simulation.advance(60_000);
  t.deepEqual(
    simulation.tasks.map(({ Status }) => Status.State),
    ['failed'],
  );
});

test('a task of a job is restarted as often as allowed', (t) => {
  const simulation = jobWith({ Condition: 'on-failure', Delay: 0, MaxAttempts: 3 });
  simulation.startsAs = () => 'failed';
  simulation.advance(60_000);
  t.is(simulation.tasks.length, 4);
});

test('a replicated job uses every slot once', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 2, TotalCompletions: 4 } });
  simulation.startsAs = () => 'complete';
  simulation.settle();
  t.deepEqual(simulation.tasks.map(({ Slot: slot }) => slot).sort(), [1, 2, 3, 4]);
});

test('a job ends with fewer tasks at once when fewer completions are left', (t) => {
  const simulation = job({ ReplicatedJob: { MaxConcurrent: 3, TotalCompletions: 4 } }).settle();
  t.is(simulation.running.length, 3);
  for (const task of simulation.running) simulation.report(task, 'complete');
  t.is(simulation.settle().running.length, 1);
});

test('a global job runs on active nodes that its constraints allow only', (t) => {
  const simulation = jobWith({ Delay: 0 }, { GlobalJob: {} });
  simulation.nodes.set('b', makeNode('b', { Spec: { Role: 'worker', Availability: 'drain' } }));
  t.deepEqual(onNodes(simulation.settle()), ['a']);
});

test('a task of a job is shown as one that is to complete', (t) => {
  const simulation = job({ ReplicatedJob: {} }).settle();
  t.deepEqual(simulation.running.map(shownState), ['complete']);
  for (const task of simulation.running) simulation.report(task, 'complete');
  t.deepEqual(simulation.settle().tasks.map(shownState), ['complete']);
});

test('of two tasks that a leader finds on one node, one goes on', (t) => {
  const simulation = global();
  const [first] = simulation.running;
  if (first === undefined) return t.fail('nothing runs');
  simulation.find({ ...first, ID: 'another' }).settle();
  t.deepEqual(onNodes(simulation), ['a', 'b', 'c']);
  t.is(simulation.live.length, 3);
});

test('a task that has ended for good on a node is replaced by an update of the task only', (t) => {
  const spec = (Image: string) =>
    makeSpec({
      Mode: { Global: {} },
      UpdateConfig: { Parallelism: 0 },
      TaskTemplate: { ContainerSpec: { Image }, RestartPolicy: { Condition: 'none' } },
    });
  const simulation = new Simulation(makeService(spec('old'))).settle();
  for (const task of simulation.running) simulation.report(task, 'failed');
  simulation.settle();
  simulation.service = { ...(simulation.service as ServiceRecord), Spec: { ...spec('old'), Labels: { a: 'b' } } };
  simulation.advance(60_000);
  t.is(simulation.running.length, 0, 'another label of the service');
  simulation.update(spec('new')).advance(60_000);
  t.is(simulation.running.length, 1);
});

test('a task of a global job ends on a drained node, and runs there when the node is active again', (t) => {
  const simulation = jobWith({ Delay: 0 }, { GlobalJob: {} }).settle();
  t.deepEqual(onNodes(simulation), ['a', 'b']);
  simulation.nodes.set('b', makeNode('b', { Spec: { Role: 'worker', Availability: 'drain' } }));
  t.deepEqual(onNodes(simulation.settle()), ['a']);
  simulation.nodes.set('b', makeNode('b'));
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b']);
});

test('a global job that has completed on a node is not run there again, and runs on one that joins', (t) => {
  const simulation = jobWith({ Delay: 0 }, { GlobalJob: {} });
  simulation.startsAs = () => 'complete';
  simulation.settle();
  simulation.nodes.set('b', makeNode('b', { Spec: { Role: 'worker', Availability: 'drain' } }));
  simulation.settle();
  simulation.nodes.set('b', makeNode('b'));
  simulation.nodes.set('c', makeNode('c'));
  t.deepEqual(
    simulation
      .settle()
      .tasks.map(({ NodeID: node }) => node)
      .sort(),
    ['a', 'b', 'c'],
  );
});

test('a task that fails on a paused node is replaced when the node is active again, not before', (t) => {
  const simulation = global();
  const task = simulation.running.find(({ NodeID: node }) => node === 'a');
  if (task === undefined) return t.fail('nothing runs on a');
  simulation.nodes.set('a', makeNode('a', { Spec: { Role: 'worker', Availability: 'pause' } }));
  simulation.report(task, 'failed').advance(60_000);
  t.deepEqual(
    simulation.live.map(({ NodeID: node }) => node),
    ['b', 'c'],
  );
  simulation.nodes.set('a', makeNode('a'));
  t.deepEqual(onNodes(simulation.settle()), ['a', 'b', 'c']);
});

test('restarts on a node are counted within the window, for the present specification only', (t) => {
  const spec = (Image: string) =>
    makeSpec({
      Mode: { Global: {} },
      UpdateConfig: { Parallelism: 0 },
      TaskTemplate: {
        ContainerSpec: { Image },
        RestartPolicy: { Condition: 'any', Delay: 0, MaxAttempts: 2, Window: 60e9 },
      },
    });
  const simulation = new Simulation(makeService(spec('old'))).settle();
  const fail = (): Simulation => {
    for (const task of simulation.running) simulation.report(task, 'failed');
    return simulation.settle();
  };
  fail();
  simulation.update(spec('new')).settle();
  t.is(fail().running.length, 1);
  simulation.advance(61_000);
  t.is(fail().running.length, 1, 'the first restart is outside of the window');
  t.is(fail().running.length, 1);
  t.is(fail().running.length, 0);
});
