import { PassThrough } from 'node:stream';
import { TaskStartError } from '@gantry/core/contracts';
import test from 'ava';
import { configOf, execFixture } from './testing/exec-fixture.js';

const codes = { distinctCodes: true };

const detached = undefined;

test('an instance is started once, runs and has its exit code', async (t) => {
  const { containers, createExec, startExec, store } = execFixture();
  const exec = createExec.create('web', configOf({ user: '5', env: ['A=1'], workingDir: '/w', tty: true }));
  await startExec.start(exec.id, detached, codes);
  await t.throwsAsync(startExec.start(exec.id, detached, codes), {
    message: `Error: Exec command ${exec.id} has already run`,
  });
  t.is(exec.state.status, 'running');
  t.like(containers.requested[0], { user: '5', env: ['A=1'], workingDir: '/w', terminal: true, privileged: false });
  containers.processes[0]?.end(3);
  await containers.processes[0]?.exited;
  t.deepEqual(exec.state, { status: 'exited', exitCode: 3, pid: 42 });
  t.deepEqual(store.idsOf('c1'), []);
  t.deepEqual(containers.published, ['exec_create: sh -c true', 'exec_start: sh -c true', 'exec_die {"exitCode":"3"}']);
  await t.throwsAsync(startExec.start(exec.id, detached, codes), { message: /has already run/ });
});

test('of two starts at once, only one starts the instance', async (t) => {
  const { containers, createExec, startExec } = execFixture();
  const exec = createExec.create('web', configOf());
  const outcomes = await Promise.allSettled([1, 2].map(() => startExec.start(exec.id, detached, codes)));
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  t.is(containers.processes.length, 1);
});

test('a container that is paused, exited or removed takes no exec, at create and at start', async (t) => {
  const { containers, createExec, startExec } = execFixture();
  const exec = createExec.create('web', configOf());
  for (const [state, expected] of [
    ['paused', { kind: 'conflict', message: 'Container c1 is paused, unpause the container before exec' }],
    ['exited', { kind: 'conflict', message: 'Container c1 is not running' }],
    ['removed', { kind: 'not-found' }],
  ] as const) {
    containers.state = state;
    t.like(
      t.throws(() => createExec.create('web', configOf())),
      expected,
    );
    t.like(await t.throwsAsync(startExec.start(exec.id, detached, codes)), expected);
  }
  containers.state = 'running';
  await t.notThrowsAsync(startExec.start(exec.id, detached, codes));
});

test('an instance whose connection could not be opened can be started again', async (t) => {
  const { containers, createExec, startExec } = execFixture();
  const exec = createExec.create('web', configOf());
  const failure = new Error('the client is gone');
  t.is(await t.throwsAsync(startExec.start(exec.id, () => Promise.reject(failure), codes)), failure);
  t.deepEqual(containers.processes, []);
  await t.notThrowsAsync(startExec.start(exec.id, detached, codes));
});

test('the exit code says why a program cannot be started, to clients that expect distinct codes', async (t) => {
  const { containers, createExec, startExec } = execFixture();
  for (const [failure, distinctCodes, exitCode] of [
    [new TaskStartError('exec: "x": executable file not found in $PATH', 127), true, 127],
    [new TaskStartError('exec: "x": executable file not found in $PATH', 127), false, 126],
    [new TaskStartError('exec: "/etc": permission denied', 126), true, 126],
    [new Error('conmon is gone'), true, 126],
  ] as const) {
    const exec = createExec.create('web', configOf());
    containers.failure = failure;
    t.is(await t.throwsAsync(startExec.start(exec.id, detached, { distinctCodes })), failure);
    t.like(exec.state, { status: 'exited', exitCode });
    t.is(containers.published.at(-1), `exec_die {"exitCode":"${exitCode}"}`);
  }
});

test('an attached client reads in its connection why a program cannot be started', async (t) => {
  const { containers, createExec, startExec } = execFixture();
  const exec = createExec.create('web', configOf({ tty: true }));
  containers.failure = new TaskStartError('exec: "x": executable file not found in $PATH', 127);
  const socket = new PassThrough();
  const { signal } = new AbortController();
  await startExec.start(exec.id, async ({ isTerminal }) => ({ socket, raw: isTerminal, signal }), codes);
  t.is(String(socket.read()), 'exec: "x": executable file not found in $PATH\r\n');
});

test('an exec that exits with the removal of its container causes no error', async (t) => {
  const { containers, createExec, startExec } = execFixture();
  const exec = createExec.create('web', configOf());
  await startExec.start(exec.id, detached, codes);
  containers.state = 'removed';
  containers.processes[0]?.end(137);
  await containers.processes[0]?.exited;
  t.like(exec.state, { status: 'exited', exitCode: 137 });
});
