import { crashPoint } from '@gantry/core/crash-points';
import { kindOf } from '@gantry/core/errors';
import type { Parts } from '../parts.js';
import { isAlive, isRunning } from '../transitions.js';
import { startContainer } from './start.js';
import { stopContainer } from './stop.js';

/** Spec: POST /containers/(id)/restart. A container that does not run is started. */
export async function restart(parts: Parts, reference: string, timeout: number | undefined): Promise<void> {
  const container = parts.store.get(reference);
  await container.starting;
  if (isRunning(container.record.state)) await stopContainer(parts, container, timeout);
  crashPoint('container.restart.stopped');
  await container.queue.run(async () => {
    try {
      // Somebody else may have started it meanwhile; then it was restarted all the same.
      if (!isAlive(container.record.state)) await startContainer(parts, container, { byPolicy: false });
    } catch (error) {
      if (kindOf(error) !== 'not-modified') throw error;
    }
  });
  parts.events.publish(container.record, 'restart');
}
