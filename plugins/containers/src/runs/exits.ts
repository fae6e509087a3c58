import type { RuntimeDriver, TaskExit } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { nanosOf, rfc3339 } from '../clock.js';
import type { Container } from '../container.js';
import type { Parts } from '../parts.js';
import type { ContainerState, Run } from '../record.js';
import { isOthers } from '../recovery/others-tasks.js';
import { storeAtLast } from '../store/store-at-last.js';
import { endRun, isAlive, type Move } from '../transitions.js';
import { removeEnded } from '../verbs/remove.js';
import { release } from './release.js';
import { afterExit } from './restart-policy.js';
import { scheduleRestart } from './restarts.js';

/** Takes every exit of the runtime's tasks. @returns stops. */
export function watchExits(parts: Parts, runtime: RuntimeDriver): () => void {
  const report = (exit: TaskExit) => (error: unknown) =>
    parts.log.error({ event: 'container.exit-failed', container: exit.id, error }, 'an exit could not be dealt with');
  const endExits = runtime.onExit((exit) => void recordExit(parts, runtime, exit).catch(report(exit)));
  const endOoms = runtime.onOom((id) => {
    const container = parts.store.byId(id);
    if (container !== undefined) parts.events.publish(container.record, 'oom');
  });
  return () => {
    endExits();
    endOoms();
  };
}

/**
 * One durable record of the exit, then the news of it, then everything the run held is given back, then what the
 * restart policy wants. Resolves when the exit is told.
 */
export async function recordExit(parts: Parts, runtime: RuntimeDriver, exit: TaskExit): Promise<void> {
  if (isOthers(exit.id)) return;
  const container = parts.store.byId(exit.id);
  if (container === undefined) {
    if (!parts.store.has(exit.id)) await runtime.delete(exit.id, { force: true });
    return;
  }
  await container.starting;
  const { state } = container.record;
  // A start that failed has given everything back itself.
  if (!isAlive(state)) return;
  const run = runOf(state, exit);
  let released: () => void = () => undefined;
  container.released = new Promise((resolve) => {
    released = resolve;
  });
  try {
    const isMine = await store(parts, container, run);
    crashPoint('container.exit.recorded');
    if (isMine) void afterwards(parts, container, released);
    else released();
  } catch (error) {
    released();
    throw error;
  }
}

function runOf(state: Extract<ContainerState, { startedAt: string }>, exit: TaskExit): Run {
  const finished = rfc3339(BigInt(exit.exitedAt.getTime()) * 1_000_000n);
  // The exit's time may be coarser than the start's.
  const isTooEarly = finished < state.startedAt;
  return {
    startedAt: state.startedAt,
    finishedAt: isTooEarly ? state.startedAt : finished,
    exitCode: exit.exitCode,
    oomKilled: exit.oomKilled,
    ...(exit.lost !== undefined && { error: exit.lost }),
  };
}

/** It is told only when it is stored. @returns false when the run was ended by somebody else. */
async function store(parts: Parts, container: Container, run: Run): Promise<boolean> {
  const ranFor = Number(nanosOf(run.finishedAt) - nanosOf(run.startedAt)) / 1e6;
  const end = endRun(run, ({ hostConfig, stoppedByUser, restartCount }) =>
    afterExit(
      container.isRemoving ? undefined : hostConfig.RestartPolicy,
      { exitCode: run.exitCode, stoppedByUser, restartCount },
      { last: container.restartDelay, ranFor },
    ),
  );
  const move: Move = (record) => end(container.isStopAsked ? { ...record, stoppedByUser: true } : record);
  const isMine = await storeAtLast(parts, container, move, () => tell(parts, container, run));
  container.isStopAsked = false;
  return isMine;
}

function tell(parts: Parts, container: Container, run: Run): void {
  parts.exitListeners.tell(container.id);
  parts.events.publish(container.record, 'die', { exitCode: String(run.exitCode) });
}

async function afterwards(parts: Parts, container: Container, released: () => void): Promise<void> {
  const { id } = container;
  parts.logs.finish(id);
  await parts.attachments.endRun(id);
  await release(parts, container);
  crashPoint('container.exit.released');
  released();
  if (container.record.state.status === 'restarting') scheduleRestart(parts, container);
  else container.restartDelay = 0;
  const { hostConfig, state } = container.record;
  if (hostConfig.AutoRemove && state.status === 'exited' && !container.isRemoving) await removeEnded(parts, container);
}
