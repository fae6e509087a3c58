import { messageOf } from '@gantry/core/errors';
import { type Parts, storageOf } from '../parts.js';
import { changedLayer } from '../roots/changed-layer.js';
import type { ContainerSteps, StepOutput } from '../steps.js';
import { create } from '../verbs/create.js';
import { kill } from '../verbs/kill.js';
import { pause, unpause } from '../verbs/pause.js';
import { remove } from '../verbs/remove.js';
import { start } from '../verbs/start.js';
import { wait } from '../verbs/wait.js';

/** The verbs of this area, for areas that make images of containers. */
export function stepsOf(parts: Parts): ContainerSteps {
  return {
    create: async (body, name) => (await create(parts, body, name, { temporary: true })).id,
    keep: async (reference) => {
      await parts.store.get(reference).change(({ temporary: _made, ...record }) => record);
    },
    start: (reference) => start(parts, reference),
    wait: (reference, options = {}) => wait(parts, reference, options),
    kill: (reference) => kill(parts, reference, undefined),
    output: (reference) => outputOf(parts, reference),
    remove: (reference) => remove(parts, reference, { force: true, volumes: true }),
    layer: async (reference, options) => {
      const { record } = parts.store.get(reference);
      return changedLayer(await storageOf(parts, record).diff(record.id, options));
    },
    whilePaused: (reference, work) => whilePaused(parts, reference, work),
  };
}

function outputOf(parts: Parts, reference: string): StepOutput {
  const { record } = parts.store.get(reference);
  const client = parts.attachments.of(record).join();
  return {
    chunks: client.output,
    leave: () => {
      client.leave();
      parts.attachments.forgetIdle(record.id);
    },
  };
}

async function whilePaused<T>(parts: Parts, reference: string, work: () => Promise<T>): Promise<T> {
  const { record } = parts.store.get(reference);
  if (record.state.status !== 'running') return work();
  await pause(parts, record.id);
  try {
    return await work();
  } finally {
    await unpause(parts, record.id).catch((error: unknown) => {
      // Somebody has woken, killed or removed it in the meantime.
      const facts = { event: 'container.resume-failed', container: record.id, reason: messageOf(error) };
      parts.log.debug(facts, 'a paused container was not there to be resumed');
    });
  }
}
