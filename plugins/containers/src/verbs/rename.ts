import { crashPoint } from '@gantry/core/crash-points';
import { conflict, internal, invalidArgument } from '@gantry/core/errors';
import { checkName } from '../names/check-name.js';
import type { Parts } from '../parts.js';

/** Spec: POST /containers/(id)/rename. */
export function rename(parts: Parts, reference: string, newName: string): Promise<void> {
  if (newName === '') throw invalidArgument('Neither old nor new names may be empty');
  const name = checkName(newName);
  const container = parts.store.get(reference);
  return container.queue.run(async () => {
    const { id, name: oldName } = container.record;
    if (name === oldName) throw internal('Renaming a container with the same name as its current name');
    if (container.isRemoving) throw conflict(`Container ${id} is being removed`);
    const giveBack = parts.store.reserve(name, id);
    try {
      const renamed = await container.change(
        (record) => ({ ...record, name }),
        () => parts.events.publish(container.record, 'rename', { oldName: `/${oldName}` }),
      );
      if (!renamed) throw conflict(`Container ${id} is being removed`);
    } catch (error) {
      giveBack();
      throw error;
    }
    crashPoint('container.rename.recorded');
    parts.store.release(oldName, id);
    // Other containers find it by its new name from now on.
    await container.networkCalls.run(() => parts.networks.renamed(id, name));
  });
}
