import { crashPoint } from '@gantry/core/crash-points';
import { notModified } from '@gantry/core/errors';
import type { Container } from '../container.js';
import type { Parts } from '../parts.js';
import { callRestartOff } from '../runs/call-restart-off.js';
import { noteStop, untilEnded } from '../runs/note-stop.js';
import { isAlive, isRunning } from '../transitions.js';
import { killAndWait, sendSignal, stopSignalOf } from './kill.js';

/** Seconds between the stop signal and SIGKILL when the caller gives none. */
const defaultTimeout = 10;

/** Spec: POST /containers/(id)/stop. Resolves when it has ended and holds nothing any more. */
export async function stop(parts: Parts, reference: string, timeout: number | undefined): Promise<void> {
  const container = parts.store.get(reference);
  await container.starting;
  if (!isRunning(container.record.state)) throw notModified(`Container ${container.id} is already stopped`);
  await stopContainer(parts, container, timeout);
}

/** Asks with the stop signal, waits for `timeout` seconds (negative: for ever), then kills. */
export async function stopContainer(parts: Parts, container: Container, timeout: number | undefined): Promise<void> {
  const { StopTimeout } = container.record.config;
  await container.queue.run(async () => {
    await noteStop(parts, container);
    crashPoint('container.stop.marked');
    if (isAlive(container.record.state)) await sendSignal(parts, container, stopSignalOf(container));
    crashPoint('container.stop.signalled');
    // Also when it has just ended by itself and the policy was first.
    if (!isAlive(container.record.state)) await callRestartOff(container);
  });
  const obeyed = await settlesWithin(parts, untilEnded(container), timeout ?? StopTimeout ?? defaultTimeout);
  if (!obeyed && isAlive(container.record.state)) {
    await killAndWait(parts, container).catch((error: unknown) => {
      if (isRunning(container.record.state)) throw error;
    });
  }
  await container.released;
  crashPoint('container.stop.ended');
  parts.events.publish(container.record, 'stop');
}

async function settlesWithin(parts: Parts, work: Promise<void>, seconds: number): Promise<boolean> {
  if (seconds < 0) return work.then(() => true);
  let callOff: () => void = () => undefined;
  const late = new Promise<boolean>((resolve) => {
    callOff = parts.clock.after(seconds * 1000, () => resolve(false));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    callOff();
  }
}
