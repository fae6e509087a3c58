import { crashPoint } from '@gantry/core/crash-points';
import { conflict, internal } from '@gantry/core/errors';
import { type Parts, runtimeOf } from '../parts.js';
import { isAlive, pauseRun, resumeRun } from '../transitions.js';
import { notRunning } from './kill.js';

/** Spec: POST /containers/(id)/pause. */
export function pause(parts: Parts, reference: string): Promise<void> {
  const container = parts.store.get(reference);
  return container.queue.run(async () => {
    const { id, state } = container.record;
    if (state.status === 'restarting')
      throw conflict(`Container ${id} is restarting, wait until the container is running`);
    if (!isAlive(state)) throw notRunning(container);
    if (state.status === 'paused') throw conflict(`Container ${id} is already paused`);
    const runtime = runtimeOf(parts, container.record);
    await runtime.pause(id);
    crashPoint('container.pause.frozen');
    try {
      await container.change(pauseRun, () => parts.events.publish(container.record, 'pause'));
    } catch (error) {
      await runtime.resume(id);
      throw error;
    }
  });
}

/** Spec: POST /containers/(id)/unpause. */
export function unpause(parts: Parts, reference: string): Promise<void> {
  const container = parts.store.get(reference);
  return container.queue.run(async () => {
    const { id, state } = container.record;
    if (state.status !== 'paused') throw internal(`Container ${id} is not paused`);
    await runtimeOf(parts, container.record).resume(id);
    crashPoint('container.unpause.thawed');
    await container.change(resumeRun, () => parts.events.publish(container.record, 'unpause'));
  });
}
