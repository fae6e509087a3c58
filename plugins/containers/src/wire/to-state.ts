import { zeroTime } from '@gantry/core/driver';
import type { ContainerInspectInfo } from 'dockerode';
import type { Health } from '../health.js';
import type { ContainerState } from '../record.js';
import { isAlive, isRestarting, isRunning, lastRun } from '../transitions.js';
import type { Shown } from './shown.js';
import { statusOf } from './status-text.js';

/** Inspect's State. */
export function toState(state: ContainerState, health: Health | undefined) {
  const alive = isAlive(state) ? state : undefined;
  const run = lastRun(state);
  const failure = state.status === 'created' || state.status === 'exited' ? state.error : undefined;
  return {
    Status: statusOf(state),
    Running: isRunning(state),
    Paused: state.status === 'paused',
    Restarting: isRestarting(state),
    OOMKilled: alive === undefined && run?.oomKilled === true,
    Dead: state.status === 'dead',
    Pid: alive?.pid ?? 0,
    ExitCode: alive === undefined ? (failure?.exitCode ?? run?.exitCode ?? 0) : 0,
    Error: state.status === 'dead' ? state.reason : alive === undefined ? (failure?.message ?? run?.error ?? '') : '',
    StartedAt: alive?.startedAt ?? run?.startedAt ?? zeroTime,
    FinishedAt: run?.finishedAt ?? zeroTime,
    ...(health !== undefined && { Health: toHealth(health) }),
  } satisfies Shown<ContainerInspectInfo['State']>;
}

const toHealth = ({ status, failingStreak, log }: Health) => ({
  Status: status,
  FailingStreak: failingStreak,
  Log: log.map(({ start, end, exitCode, output }) => ({ Start: start, End: end, ExitCode: exitCode, Output: output })),
});
