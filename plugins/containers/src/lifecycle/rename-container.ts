import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, internal, invalidArgument } from '@gantry/core/errors';
import { SandboxService } from '@gantry/networks/service';
import type { Container } from '../container.js';
import { ContainerEvents } from '../container-events.js';
import { checkName } from '../names/check-name.js';
import { ContainerStore } from '../store/container-store.js';

/** Spec: POST /containers/(id)/rename. */
@injectable()
export class RenameContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(SandboxService.token) private readonly sandboxes: Pick<SandboxService, 'renamed'>,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  rename(reference: string, newName: string): Promise<void> {
    if (newName === '') throw invalidArgument('Neither old nor new names may be empty');
    const name = checkName(newName);
    const container = this.store.get(reference);
    return container.mutex.run(async () => {
      const { id, name: oldName } = container.record;
      if (name === oldName) throw internal('Renaming a container with the same name as its current name');
      await this.#store(container, name);
      crashPoint('container.rename.recorded');
      this.store.releaseName(oldName, id);
      // Other containers resolve it by its new name from now on.
      await container.networkMutex.run(() => this.sandboxes.renamed(id, name));
    });
  }

  async #store(container: Container, name: string): Promise<void> {
    const { id, name: oldName } = container.record;
    if (container.isRemoving) throw conflict(`Container ${id} is being removed`);
    const releaseName = this.store.reserveName(name, id);
    try {
      const isRenamed = await container.change(
        (record) => ({ ...record, name }),
        () => this.events.publish(container.record, 'rename', { oldName: `/${oldName}` }),
      );
      if (!isRenamed) throw conflict(`Container ${id} is being removed`);
    } catch (error) {
      releaseName();
      throw error;
    }
  }
}
