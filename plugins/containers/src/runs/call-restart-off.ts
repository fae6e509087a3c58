import type { Container } from '../container.js';
import { endRestarts } from '../transitions.js';

/** Calls a pending restart off, so that the container is exited. The caller holds the queue. */
export async function callRestartOff(container: Container): Promise<boolean> {
  container.cancelRestart?.();
  container.cancelRestart = undefined;
  return container.change(endRestarts);
}
