import { crashPoint } from '@gantry/core/crash-points';
import { conflict } from '@gantry/core/errors';
import { type Parts, runtimeOf } from '../parts.js';
import type { UpdateBody } from '../schema.js';
import { isAlive } from '../transitions.js';

/** Spec: POST /containers/(id)/update. A running container's limits change at once. @returns warnings. */
export function update(parts: Parts, reference: string, body: UpdateBody): Promise<readonly string[]> {
  const container = parts.store.get(reference);
  return container.queue.run(async () => {
    const { id, state } = container.record;
    if (container.isRemoving || state.status === 'removing' || state.status === 'dead') {
      throw conflict(`Container ${id} is marked for removal and cannot be "update".`);
    }
    const { hostConfig, resources, warnings } = parts.configuration.prepareUpdate(container.record, body);
    if (resources !== undefined && isAlive(state)) await runtimeOf(parts, container.record).update(id, resources);
    crashPoint('container.update.applied');
    await container.change(
      (record) => ({ ...record, hostConfig }),
      () => parts.events.publish(container.record, 'update'),
    );
    return warnings;
  });
}
