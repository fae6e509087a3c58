import { inject, injectable } from '@gantry/core/driver';
import type { ContainerRecord, ContainerState } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { Attachments } from '../streams/attachments.js';
import { isAlive, lastRun } from '../transitions.js';

/** Spec: POST /containers/(id)/wait. */
@injectable()
export class WaitForContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Attachments) private readonly attachments: Attachments,
  ) {}

  /**
   * Resolves to the exit code: of the next exit, also when the restart policy starts it again, and at once when it is not
   * running. Attached clients get their output before.
   */
  async wait(reference: string, options: { readonly signal?: AbortSignal }): Promise<number> {
    const container = this.store.get(reference);
    const { state: current } = container.record;
    const previous = current.status === 'restarting' ? current.last : undefined;
    const hasExited = ({ state }: ContainerRecord): boolean =>
      state.status === 'restarting' ? state.last !== previous : !isAlive(state) && state.status !== 'starting';
    if (hasExited(container.record)) return exitCodeOf(current);
    await container.until(hasExited, options);
    const code = exitCodeOf(container.record.state);
    await this.attachments.sessionsEnded(container.id);
    return code;
  }
}

/** The exit code that wait and inspect show: of the last run, or of a start that failed. */
function exitCodeOf(state: ContainerState): number {
  if ((state.status === 'created' || state.status === 'exited') && state.error !== undefined) {
    return state.error.exitCode;
  }
  return lastRun(state)?.exitCode ?? 0;
}
