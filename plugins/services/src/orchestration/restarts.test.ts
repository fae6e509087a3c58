import test from 'ava';
import type { RestartPolicy } from '../spec/service-spec.js';
import { makeService, makeSpec, Simulation, second } from '../testing/simulation.js';

const service = (RestartPolicy: RestartPolicy, replicas = 1): Simulation =>
  new Simulation(
    makeService(
      makeSpec({ Mode: { Replicated: { Replicas: replicas } }, TaskTemplate: { ContainerSpec: {}, RestartPolicy } }),
    ),
  ).settle();

/** Ends the running task. */
function end(simulation: Simulation, state: 'failed' | 'complete'): Simulation {
  for (const task of simulation.running) simulation.report(task, state);
  return simulation.settle();
}

test('a replacement is prepared at once and runs after the delay', (t) => {
  const simulation = end(service({ Condition: 'any', Delay: 2 * second }), 'failed');
  t.deepEqual(
    simulation.live.map(({ DesiredState: desired, Status: { State: state } }) => [desired, state]),
    [['ready', 'ready']],
  );
  simulation.advance(1_999);
  t.is(simulation.running.length, 0);
  simulation.advance(1);
  t.is(simulation.running.length, 1);
});

test('without a policy a task is replaced after five seconds', (t) => {
  const simulation = end(service({}), 'complete').advance(4_999);
  t.is(simulation.running.length, 0);
  t.is(simulation.advance(1).running.length, 1);
});

test('a task that fails while it is prepared is replaced when its delay is over, not before', (t) => {
  const simulation = service({ Condition: 'any', Delay: 5 * second });
  const [first] = simulation.running;
  if (first === undefined) return t.fail('nothing runs');
  simulation.preparesAs = () => 'rejected';
  simulation.report(first, 'failed').settle();
  t.deepEqual(
    simulation.tasks.map(({ DesiredState: desired, Status: { State: state } }) => [desired, state]),
    [
      ['shutdown', 'failed'],
      ['ready', 'rejected'],
    ],
  );
  t.is(simulation.advance(4_999).tasks.length, 2);
  t.is(simulation.advance(5_001).tasks.length, 4);
  simulation.preparesAs = () => 'ready';
  t.is(simulation.advance(10_000).running.length, 1);
});

test('on-failure replaces a task that failed, and none that completed', (t) => {
  t.is(end(service({ Condition: 'on-failure', Delay: 0 }), 'failed').running.length, 1);
  const completed = end(service({ Condition: 'on-failure', Delay: 0 }), 'complete').advance(60_000);
  t.deepEqual(
    completed.tasks.map(({ Status: status }) => status.State),
    ['complete'],
  );
});

test('with the condition none nothing is replaced', (t) => {
  const simulation = end(service({ Condition: 'none' }), 'failed').advance(60_000);
  t.deepEqual(
    simulation.tasks.map(({ Status: status }) => status.State),
    ['failed'],
  );
});

test('a task is restarted as often as allowed, and never again', (t) => {
  const simulation = service({ Condition: 'any', Delay: 0, MaxAttempts: 2 });
  simulation.startsAs = () => 'failed';
  end(simulation, 'failed').advance(3_600_000);
  t.deepEqual(
    simulation.tasks.map(({ Status: status }) => status.State),
    ['failed', 'failed', 'failed'],
  );
});

test('restarts outside of the window do not count', (t) => {
  const simulation = service({ Condition: 'any', Delay: 0, MaxAttempts: 1, Window: 10 * second });
  end(simulation, 'failed').advance(11_000);
  t.is(end(simulation, 'failed').running.length, 1);
  t.is(end(simulation, 'failed').running.length, 0);
});

test('a slot that has finished still counts as a replica', (t) => {
  const simulation = end(service({ Condition: 'none' }, 2), 'complete')
    .scale(3)
    .settle();
  t.deepEqual(
    simulation.running.map(({ Slot: slot }) => slot),
    [3],
  );
});

test('the history of a slot is limited, its last task stays', (t) => {
  const limited = new Simulation(
    makeService(makeSpec({ TaskTemplate: { ContainerSpec: {}, RestartPolicy: { Condition: 'any', Delay: 0 } } })),
    { historyLimit: 3 },
  ).settle();
  for (let times = 0; times < 8; times++) end(limited, 'failed');
  t.deepEqual(
    limited.tasks.map(({ Status: status }) => status.State),
    ['failed', 'failed', 'running'],
  );
});

test('with a negative history limit every task is kept', (t) => {
  const kept = new Simulation(
    makeService(makeSpec({ TaskTemplate: { ContainerSpec: {}, RestartPolicy: { Condition: 'any', Delay: 0 } } })),
    { historyLimit: -1 },
  ).settle();
  for (let times = 0; times < 8; times++) end(kept, 'failed');
  t.is(kept.tasks.length, 9);
});

test('restarts are counted for each slot, and anew for another specification', (t) => {
  const policy = { Condition: 'any', Delay: 0, MaxAttempts: 1 };
  const simulation = service(policy, 2);
  const [first] = simulation.running;
  if (first === undefined) return t.fail('nothing runs');
  simulation.report(first, 'failed').settle();
  t.is(simulation.running.length, 2);
  end(simulation, 'failed');
  t.deepEqual(
    simulation.running.map(({ Slot: slot }) => slot),
    [2],
  );
  const TaskTemplate = { ContainerSpec: { Image: 'new' }, RestartPolicy: policy };
  simulation.update(makeSpec({ Mode: { Replicated: { Replicas: 2 } }, TaskTemplate })).advance(60_000);
  t.is(end(simulation, 'failed').running.length, 2);
  t.is(end(simulation, 'failed').running.length, 0);
});

test('an update that changes nothing restarts nothing, and a forced one also what has ended for good', (t) => {
  const simulation = end(service({ Condition: 'none' }, 2), 'failed');
  const spec = simulation.service?.Spec ?? {};
  simulation.service = { ...makeService(spec), Spec: { ...spec, Labels: { a: 'b' } } };
  t.is(simulation.advance(60_000).tasks.length, 2);
  simulation.update({ ...spec, TaskTemplate: { ...spec.TaskTemplate, ForceUpdate: 1 } }).advance(60_000);
  t.is(simulation.running.length, 2);
});

test('a longer grace period is another specification, as is another delay', (t) => {
  const simulation = service({ Condition: 'any', Delay: 0 });
  const [before] = simulation.running;
  const spec = simulation.service?.Spec ?? {};
  const TaskTemplate = { ...spec.TaskTemplate, RestartPolicy: { Condition: 'any', Delay: second } };
  simulation.update({ ...spec, TaskTemplate }).advance(60_000);
  t.is(simulation.running.length, 1);
  t.not(simulation.running[0]?.ID, before?.ID);
});
