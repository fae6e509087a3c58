import { unavailable } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { isRunning } from '../transitions.js';

/** Resolves when the exit is recorded. Rejects `unavailable` when the task has exited and that cannot be stored now. */
export async function exitRecorded(container: Container): Promise<void> {
  await container.until(({ state }) => !isRunning(state) || container.unrecordedExit !== undefined);
  const reason = container.unrecordedExit;
  if (isRunning(container.record.state) && reason !== undefined) {
    throw unavailable(`container ${container.id} has exited, but that cannot be recorded: ${reason}`);
  }
}
