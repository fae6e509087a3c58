import { inject, injectable } from '@gantry/core/driver';
import type { ContainerState } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { isRunning, lastRun } from '../transitions.js';

/** Spec: POST /containers/(id)/wait. */
@injectable()
export class WaitForContainer {
  constructor(@inject(ContainerStore) private readonly store: ContainerStore) {}

  /** Resolves to the exit code once the container does not run. */
  async wait(reference: string, options: { readonly signal?: AbortSignal }): Promise<number> {
    const container = this.store.get(reference);
    await container.until(({ state }) => !isRunning(state) && state.status !== 'starting', options);
    return exitCodeOf(container.record.state);
  }
}

/** The exit code that wait and inspect show: of the last run, or of a start that failed. */
function exitCodeOf(state: ContainerState): number {
  if ((state.status === 'created' || state.status === 'exited') && state.error !== undefined) {
    return state.error.exitCode;
  }
  return lastRun(state)?.exitCode ?? 0;
}
