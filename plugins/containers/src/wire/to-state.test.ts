import { zeroTime } from '@gantry/core/driver';
import test from 'ava';
import type { ContainerState } from '../record.js';
import { run, running } from '../testing/wire-fixture.js';
import { toState } from './to-state.js';

const last = run({ oomKilled: true, exitCode: 137 });

const blank = {
  Status: 'created',
  Running: false,
  Paused: false,
  Restarting: false,
  OOMKilled: false,
  Dead: false,
  Pid: 0,
  ExitCode: 0,
  Error: '',
  StartedAt: zeroTime,
  FinishedAt: zeroTime,
};
const up = { Status: 'running', Running: true, Pid: 4711, StartedAt: '2024-01-01T02:00:00.000000000Z' };
const over = { OOMKilled: true, ExitCode: 137, StartedAt: last.startedAt, FinishedAt: last.finishedAt };

for (const [state, shown] of [
  [{ status: 'created' }, {}],
  [
    { status: 'created', error: { message: 'no such file', exitCode: 127 } },
    { Error: 'no such file', ExitCode: 127 },
  ],
  [{ status: 'starting', since: zeroTime }, {}],
  [
    { status: 'starting', since: zeroTime, previous: last },
    { ...over, Status: 'exited' },
  ],
  [running, up],
  [
    { ...running, previous: last },
    { ...up, FinishedAt: last.finishedAt },
  ],
  [
    { ...running, status: 'paused' },
    { ...up, Status: 'paused', Paused: true },
  ],
  [
    { status: 'restarting', last, delayMs: 100 },
    { ...over, Status: 'restarting', Running: true, Restarting: true },
  ],
  [
    { status: 'exited', last },
    { ...over, Status: 'exited' },
  ],
  [
    { status: 'exited', last, error: { message: 'taken', exitCode: 128 } },
    { ...over, Status: 'exited', Error: 'taken', ExitCode: 128 },
  ],
  [
    { status: 'removing', last, withVolumes: true },
    { ...over, Status: 'removing' },
  ],
  [
    { status: 'dead', reason: 'busy' },
    { Status: 'dead', Dead: true, Error: 'busy' },
  ],
] as readonly (readonly [ContainerState, object])[]) {
  test(`State of ${JSON.stringify(state)}`, (t) => {
    t.deepEqual(toState(state, undefined), { ...blank, ...shown });
  });
}

test('health is there when the container has it', (t) => {
  const probe = { start: 'a', end: 'b', exitCode: 1, output: 'no' };
  t.like(toState(running, { status: 'unhealthy', failingStreak: 3, log: [probe] }), {
    Health: {
      Status: 'unhealthy',
      FailingStreak: 3,
      Log: [{ Start: 'a', End: 'b', ExitCode: 1, Output: 'no' }],
    },
  });
});
