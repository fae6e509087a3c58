import type { Parts } from '../parts.js';
import type { ContainerState } from '../record.js';
import { isRunning, lastRun } from '../transitions.js';

/** What wait and inspect show as exit code: of the last run, or of a start that failed. */
export function exitCodeOf(state: ContainerState): number {
  if ((state.status === 'created' || state.status === 'exited') && state.error !== undefined) {
    return state.error.exitCode;
  }
  return lastRun(state)?.exitCode ?? 0;
}

/** Spec: POST /containers/(id)/wait. @returns the exit code, when the container does not run (any more). */
export async function wait(
  parts: Parts,
  reference: string,
  options: { readonly signal?: AbortSignal },
): Promise<number> {
  const container = parts.store.get(reference);
  await container.until(({ state }) => !isRunning(state) && state.status !== 'starting', options);
  return exitCodeOf(container.record.state);
}
