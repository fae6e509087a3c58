import test from 'ava';
import type { TaskRecord } from '../../records/task-record.js';
import type { ServiceSpec, UpdateConfig } from '../../spec/service-spec.js';
import { makeService, makeSpec, Simulation, second } from '../../testing/simulation.js';

const spec = (image: string, UpdateConfig: UpdateConfig | undefined, further: ServiceSpec = {}): ServiceSpec =>
  makeSpec({
    Mode: { Replicated: { Replicas: 4 } },
    ...(UpdateConfig !== undefined && { UpdateConfig }),
    TaskTemplate: { ContainerSpec: { Image: image }, RestartPolicy: { Condition: 'any', Delay: 0 } },
    ...further,
  });

const isNew = (task: TaskRecord): boolean => task.Spec.ContainerSpec?.Image === 'new';

const updated = (config?: UpdateConfig, further: ServiceSpec = {}): Simulation =>
  new Simulation(makeService(spec('old', config, further))).settle().update(spec('new', config, further));

const newRunning = (simulation: Simulation): number => simulation.running.filter(isNew).length;

test('one slot at a time is updated, and all in the end', (t) => {
  const simulation = updated({ Parallelism: 1, Delay: 10 * second });
  simulation.settle();
  t.is(newRunning(simulation), 1);
  t.is(simulation.running.length, 4);
  simulation.advance(10_000);
  t.is(newRunning(simulation), 2);
  simulation.advance(20_000);
  t.is(newRunning(simulation), 4);
});

test('without a limit all slots are updated at once', (t) => {
  const simulation = updated({ Parallelism: 0 });
  simulation.startsAs = (task) => (isNew(task) ? 'starting' : 'running');
  t.is(simulation.settle().live.filter(isNew).length, 4);
});

test('without a configuration one slot at a time is updated', (t) => {
  const simulation = updated();
  simulation.startsAs = (task) => (isNew(task) ? 'starting' : 'running');
  t.is(simulation.settle().live.filter(isNew).length, 1);
});

test('the old task ends before the new one is started', (t) => {
  const simulation = updated({ Parallelism: 1 });
  simulation.holdsStops = true;
  simulation.settle();
  t.deepEqual(
    simulation.live.filter(isNew).map(({ Status: status }) => status.State),
    ['ready'],
  );
  simulation.holdsStops = false;
  t.is(newRunning(simulation.settle()), 4);
});

test('a task that does not stop is waited for a minute beside its grace period', (t) => {
  const withGrace = (image: string): ServiceSpec =>
    makeSpec({ TaskTemplate: { ContainerSpec: { Image: image, StopGracePeriod: 30 * second } } });
  const simulation = new Simulation(makeService(withGrace('old'))).settle().update(withGrace('new'));
  simulation.holdsStops = true;
  simulation.advance(89_000);
  t.is(newRunning(simulation), 0);
  simulation.advance(1_000);
  t.is(newRunning(simulation), 1);
});

test('another default log driver of the swarm is that of new tasks, and restarts none', (t) => {
  const simulation = new Simulation(makeService(spec('old', { Parallelism: 0 })));
  simulation.logDriver = { Name: 'first' };
  simulation.settle();
  simulation.logDriver = { Name: 'second' };
  simulation.settle();
  const drivers = () => new Set(simulation.live.map(({ LogDriver: driver }) => driver?.Name));
  t.deepEqual(drivers(), new Set(['first']));
  simulation.update(spec('new', { Parallelism: 0 })).settle();
  t.deepEqual(drivers(), new Set(['second']));
  const own = spec('new', { Parallelism: 0 });
  simulation.update({ ...own, TaskTemplate: { ...own.TaskTemplate, LogDriver: { Name: 'own' } } }).settle();
  t.deepEqual(drivers(), new Set([undefined]), 'the specification says it');
});

test('started first, the new task runs before the old one is stopped', (t) => {
  const simulation = updated({ Parallelism: 1, Order: 'start-first' });
  simulation.startsAs = (task) => (isNew(task) ? 'starting' : 'running');
  simulation.settle();
  t.is(simulation.running.filter(({ DesiredState: desired }) => desired === 'running').length, 4);
  simulation.startsAs = () => 'running';
  simulation.settle();
  t.is(newRunning(simulation), 4);
  t.is(simulation.running.length, 4);
});

test('an update is completed when no task has failed within the monitoring period', (t) => {
  const simulation = updated({ Parallelism: 0, Monitor: 7 * second }).settle();
  t.is(simulation.service?.UpdateStatus?.State, 'updating');
  simulation.advance(6_999);
  t.is(simulation.service?.UpdateStatus?.State, 'updating');
  simulation.advance(1);
  t.is(simulation.service?.UpdateStatus?.State, 'completed');
  t.is(simulation.service?.UpdateStatus?.Message, 'update completed');
});

test('a failing task pauses the update and leaves the other slots alone', (t) => {
  const simulation = updated({ Parallelism: 1 });
  simulation.startsAs = (task) => (isNew(task) ? 'failed' : 'running');
  for (let times = 0; times < 6; times++) {
    simulation.pass();
    simulation.act();
  }
  t.is(simulation.service?.UpdateStatus?.State, 'paused');
  t.regex(
    simulation.service?.UpdateStatus?.Message ?? '',
    /^update paused due to failure or early termination of task /,
  );
  t.is(simulation.running.length, 3);
});

test('a task that fails after the monitoring period does not stop the update', (t) => {
  const simulation = updated({ Parallelism: 1, Delay: 60 * second, Monitor: second }).advance(2_000);
  const [first] = simulation.running.filter(isNew);
  if (first === undefined) return t.fail('nothing was updated');
  simulation.report(first, 'failed').settle();
  t.is(simulation.service?.UpdateStatus?.State, 'updating');
});

test('failures up to the ratio are tolerated', (t) => {
  const simulation = updated({ Parallelism: 1, MaxFailureRatio: 0.25 });
  let failures = 0;
  simulation.startsAs = (task) => (isNew(task) && failures++ === 0 ? 'failed' : 'running');
  simulation.advance(60_000);
  t.is(simulation.service?.UpdateStatus?.State, 'completed');
  t.is(newRunning(simulation), 4);
});

test('with the action continue every slot is updated whatever fails', (t) => {
  const simulation = updated({ Parallelism: 1, FailureAction: 'continue' });
  const failed = new Set<number>();
  simulation.startsAs = (task) => {
    if (!isNew(task) || failed.has(task.Slot ?? 0)) return 'running';
    failed.add(task.Slot ?? 0);
    return 'failed';
  };
  simulation.advance(1_000);
  t.is(simulation.service?.UpdateStatus?.State, 'completed');
  t.is(newRunning(simulation), 4);
});

test('with the action rollback a failing update restores the earlier tasks', (t) => {
  const simulation = updated({ Parallelism: 1, FailureAction: 'rollback' });
  const untouched = simulation.running.map(({ ID: id }) => id);
  simulation.startsAs = (task) => (isNew(task) ? 'failed' : 'running');
  simulation.advance(60_000);
  t.is(simulation.service?.UpdateStatus?.State, 'rollback_completed');
  t.is(simulation.running.filter((task) => !isNew(task)).length, 4);
  t.is(
    simulation.running.filter(({ ID: id }) => untouched.includes(id)).length,
    3,
    'slots that were not updated are left alone',
  );
});

test('a failing rollback is paused', (t) => {
  const simulation = updated({ Parallelism: 0, FailureAction: 'rollback' });
  simulation.startsAs = () => 'failed';
  for (let times = 0; times < 20; times++) {
    simulation.pass();
    simulation.act();
  }
  t.is(simulation.service?.UpdateStatus?.State, 'rollback_paused');
});

test('an update during an update goes on with the newest specification', (t) => {
  const simulation = updated({ Parallelism: 1, Delay: 10 * second }).settle();
  simulation.update(spec('newest', { Parallelism: 1 })).advance(60_000);
  t.true(simulation.running.every((task) => task.Spec.ContainerSpec?.Image === 'newest'));
  t.is(simulation.service?.UpdateStatus?.State, 'completed');
});

test('a slot that has finished is updated too', (t) => {
  const simulation = new Simulation(
    makeService(makeSpec({ TaskTemplate: { RestartPolicy: { Condition: 'none' } } })),
  ).settle();
  for (const task of simulation.running) simulation.report(task, 'complete');
  simulation
    .settle()
    .update(makeSpec({ TaskTemplate: { ContainerSpec: { Image: 'new' } } }))
    .settle();
  t.is(newRunning(simulation), 1);
});

test('started first, tasks that take long to stop do not hold up the update', (t) => {
  const simulation = updated({ Parallelism: 1, Order: 'start-first' });
  simulation.holdsStops = true;
  simulation.settle();
  const states = (tasks: readonly TaskRecord[]) => tasks.map(({ DesiredState: desired }) => desired);
  t.deepEqual(states(simulation.running.filter(isNew)), Array(4).fill('running'));
  t.deepEqual(states(simulation.running.filter((task) => !isNew(task))), Array(4).fill('shutdown'));
});

test('a paused update changes nothing more, until another one takes its place', (t) => {
  const simulation = updated({ Parallelism: 1, FailureAction: 'pause' });
  simulation.startsAs = (task) => (isNew(task) ? 'failed' : 'running');
  simulation.preparesAs = () => 'ready';
  for (let times = 0; times < 6; times++) {
    simulation.pass();
    simulation.act();
  }
  simulation.startsAs = () => 'running';
  simulation.advance(600_000);
  t.is(simulation.service?.UpdateStatus?.State, 'paused');
  t.is(newRunning(simulation), 1, 'the slot that failed is restarted by its policy');
  simulation.update(spec('newest', { Parallelism: 1, FailureAction: 'continue' })).advance(60_000);
  t.true(simulation.running.every((task) => task.Spec.ContainerSpec?.Image === 'newest'));
  t.is(simulation.service?.UpdateStatus?.State, 'completed');
});

test('a rollback goes by its own configuration', (t) => {
  const config = { RollbackConfig: { Parallelism: 2, Delay: 20 * second } };
  const simulation = updated({ Parallelism: 0, FailureAction: 'rollback' }, config);
  simulation.startsAs = (task) => (isNew(task) && task.Slot === 1 ? 'failed' : 'running');
  const restored = () => simulation.running.filter((task) => !isNew(task)).length;
  t.deepEqual([simulation.settle().service?.UpdateStatus?.State, restored()], ['rollback_started', 2]);
  t.is(simulation.advance(19_999) && restored(), 2);
  t.is(simulation.advance(1) && restored(), 4);
  t.is(simulation.advance(60_000).service?.UpdateStatus?.State, 'rollback_completed');
});

test('without a period in the configuration failures within five seconds count', (t) => {
  for (const [after, state] of [
    [5_000, 'paused'],
    [5_001, 'updating'],
  ] as const) {
    const simulation = updated({ Parallelism: 1, Delay: 60 * second }).advance(after);
    const [first] = simulation.running.filter(isNew);
    if (first === undefined) return t.fail('nothing was updated');
    simulation.report(first, 'failed').settle();
    t.is(simulation.service?.UpdateStatus?.State, state, `after ${after} ms`);
  }
});

test('a task that waits for a node is shut down by the update that replaces it', (t) => {
  const pending = (node: string): ServiceSpec =>
    makeSpec({ TaskTemplate: { ContainerSpec: {}, Placement: { Constraints: [`node.id==${node}`] } } });
  const simulation = new Simulation(makeService(pending('nosuch'))).settle();
  t.is(simulation.tasks[0]?.Status.State, 'pending');
  simulation.update(pending('n1')).settle();
  t.deepEqual(
    simulation.tasks.map(({ DesiredState, Status: { Err, State } }) => [DesiredState, State, Err]),
    [
      ['shutdown', 'shutdown', undefined],
      ['running', 'running', undefined],
    ],
  );
});
