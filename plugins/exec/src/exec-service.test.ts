import { setTimeout as delay } from 'node:timers/promises';
import { TaskStartError } from '@gantry/core/contracts';
import test from 'ava';
import type { ExecConfig } from './exec-record.js';
import { ExecService } from './exec-service.js';
import { FakeContainers } from './testing/fake-containers.js';

const config = (more: Partial<ExecConfig> = {}): ExecConfig => ({
  args: ['sh', '-c', 'true'],
  attachStdin: false,
  attachStdout: true,
  attachStderr: true,
  tty: false,
  privileged: false,
  user: '',
  env: [],
  workingDir: '',
  detachKeys: '',
  ...more,
});

function openExecs(retention = 60_000) {
  const containers = new FakeContainers();
  return { containers, execs: new ExecService(containers, containers, retention) };
}

test('an instance is created, claimed once, runs and has its exit code', async (t) => {
  const { containers, execs } = openExecs();
  const exec = execs.create('web', config({ user: '5', env: ['A=1'], workingDir: '/w', tty: true }));
  t.regex(exec.id, /^[0-9a-f]{64}$/);
  t.deepEqual(execs.idsOf('c1'), [exec.id]);
  t.is(execs.claim(exec.id), exec);
  t.throws(() => execs.claim(exec.id), { message: `Error: Exec command ${exec.id} has already run` });
  await execs.start(exec, { detached: false });
  t.is(exec.state.status, 'running');
  t.like(containers.requested[0], { user: '5', env: ['A=1'], workingDir: '/w', terminal: true, privileged: false });
  containers.processes[0]?.end(3);
  await containers.processes[0]?.exited;
  t.deepEqual(exec.state, { status: 'exited', exitCode: 3, pid: 42 });
  t.deepEqual(execs.idsOf('c1'), []);
  t.deepEqual(containers.published, ['exec_create: sh -c true', 'exec_start: sh -c true', 'exec_die {"exitCode":"3"}']);
  t.throws(() => execs.claim(exec.id), { message: /has already run/ });
});

test('a container that is paused, ended or gone takes no exec, at create and at start', (t) => {
  const { containers, execs } = openExecs();
  const exec = execs.create('web', config());
  for (const [state, expected] of [
    ['paused', { kind: 'conflict', message: 'Container c1 is paused, unpause the container before exec' }],
    ['exited', { kind: 'conflict', message: 'Container c1 is not running' }],
    ['removed', { kind: 'not-found' }],
  ] as const) {
    containers.state = state;
    t.like(
      t.throws(() => execs.create('web', config())),
      expected,
    );
    t.like(
      t.throws(() => execs.claim(exec.id)),
      expected,
    );
  }
  containers.state = 'running';
  t.is(execs.claim(exec.id), exec);
  execs.release(exec);
  t.is(execs.claim(exec.id), exec, 'a released one can be started');
});

test('no command, an absent container and an absent instance are refused by name', (t) => {
  const { execs } = openExecs();
  t.like(
    t.throws(() => execs.create('web', config({ args: [] }))),
    {
      kind: 'invalid-argument',
      message: 'No exec command specified',
    },
  );
  t.like(
    t.throws(() => execs.create('gone', config())),
    { kind: 'not-found', message: 'No such container: gone' },
  );
  for (const call of [() => execs.get('x'), () => execs.claim('x')]) {
    t.like(t.throws(call), { kind: 'not-found', message: 'No such exec instance: x' });
  }
});

test('a program that cannot be started ends the instance with 126, whatever the reason', async (t) => {
  const { containers, execs } = openExecs();
  for (const [failure, exitCode] of [
    [new TaskStartError('exec: "x": executable file not found in $PATH', 127), 126],
    [new Error('conmon is gone'), 126],
  ] as const) {
    const exec = execs.create('web', config());
    execs.claim(exec.id);
    containers.failure = failure;
    t.is(await t.throwsAsync(execs.start(exec, { detached: true })), failure);
    t.like(exec.state, { status: 'exited', exitCode });
    t.is(containers.published.at(-1), `exec_die {"exitCode":"${exitCode}"}`);
  }
});

test('a resize waits for a start under way, and needs a terminal that runs', async (t) => {
  const { containers, execs } = openExecs();
  const size = { height: 22, width: 55 };
  const exec = execs.create('web', config({ tty: true }));
  t.like(await t.throwsAsync(execs.resize(exec.id, size)), { kind: 'not-found' });
  execs.claim(exec.id);
  const resized = execs.resize(exec.id, size);
  await execs.start(exec, { detached: false });
  await resized;
  t.deepEqual(containers.processes[0]?.sizes, [size]);
  const failing = execs.create('web', config({ tty: true }));
  execs.claim(failing.id);
  const waiting = execs.resize(failing.id, size);
  containers.failure = new Error('no');
  await t.throwsAsync(execs.start(failing, { detached: false }));
  t.like(await t.throwsAsync(waiting), { kind: 'not-found', message: `exec ${failing.id} is not running` });
});

test('an exec that ends with the removal of its container causes no error', async (t) => {
  const { containers, execs } = openExecs();
  const exec = execs.create('web', config());
  execs.claim(exec.id);
  await execs.start(exec, { detached: true });
  containers.state = 'removed';
  containers.processes[0]?.end(137);
  await containers.processes[0]?.exited;
  t.like(exec.state, { status: 'exited', exitCode: 137 });
});

test('ended instances, and those that can no longer be started, are forgotten after a while', async (t) => {
  const { containers, execs } = openExecs(1);
  const ended = execs.create('web', config());
  execs.claim(ended.id);
  await execs.start(ended, { detached: true });
  const waiting = execs.create('web', config());
  const other = execs.create('web', config());
  execs.claim(other.id);
  containers.processes[0]?.end(0);
  execs.containerExited('c1');
  await delay(20);
  for (const { id } of [ended, waiting]) t.throws(() => execs.get(id));
  t.is(execs.get(other.id), other);
});

test('a resize without a terminal changes nothing, and is no error', async (t) => {
  const { containers, execs } = openExecs();
  const exec = execs.create('web', config());
  execs.claim(exec.id);
  await execs.start(exec, { detached: false });
  await t.notThrowsAsync(execs.resize(exec.id, { height: 1, width: 1 }));
  t.deepEqual(containers.processes[0]?.sizes, []);
});

test('an instance that was not started is not found once its container has exited', (t) => {
  const { execs } = openExecs();
  const exec = execs.create('web', config());
  execs.containerExited('c1');
  for (const call of [() => execs.get(exec.id), () => execs.claim(exec.id)]) {
    t.like(t.throws(call), { kind: 'not-found' });
  }
});
