import type { TaskExit } from '@gantry/core/contracts';
import { inject, injectable, nanosOf, rfc3339 } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { ContainerEvents } from '../container-events.js';
import type { ContainerState, Run } from '../record.js';
import { RestartBackOff } from '../restarts/restart-back-off.js';
import { afterExit } from '../restarts/restart-policy.js';
import { RetriedChanges } from '../store/retried-changes.js';
import { endRun, isAlive, type Transition } from '../transitions.js';
import { dieAttributes } from './die-attributes.js';
import { ExitListeners } from './exit-listeners.js';

/** Stores exits, then notifies listeners and publishes them. */
@injectable()
export class ExitRecorder {
  constructor(
    @inject(RetriedChanges) private readonly changes: RetriedChanges,
    @inject(RestartBackOff) private readonly backOff: RestartBackOff,
    @inject(ExitListeners) private readonly listeners: ExitListeners,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  /** Published only when it is stored. @returns false when the exit of this run was recorded before. */
  async record(container: Container, exit: TaskExit): Promise<boolean> {
    const { state } = container.record;
    if (!isAlive(state)) return false;
    const run = runOf(state, exit);
    const end = this.#transition(container, run);
    const transition: Transition = (record) =>
      end(container.stopRequest === 'unstored' ? { ...record, stoppedByUser: true } : record);
    const isRecorded = await this.changes.apply(container, transition, () => {
      this.listeners.notify(container.id);
      this.events.publish(container.record, 'die', dieAttributes(run));
    });
    container.stopRequest = 'none';
    return isRecorded;
  }

  #transition(container: Container, run: Run): Transition {
    const ranFor = Number(nanosOf(run.finishedAt) - nanosOf(run.startedAt)) / 1e6;
    return endRun(run, ({ hostConfig, stoppedByUser, restartCount }) =>
      afterExit(
        container.isRemoving ? undefined : hostConfig.RestartPolicy,
        { exitCode: run.exitCode, stoppedByUser, restartCount },
        { last: this.backOff.last(container), ranFor },
      ),
    );
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
