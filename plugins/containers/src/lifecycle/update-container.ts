import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { prepareUpdate } from '../configuration/prepare-update.js';
import { ContainerDrivers } from '../container-drivers.js';
import { ContainerEvents } from '../container-events.js';
import { HostFacts } from '../host/host-facts.js';
import type { UpdateBody } from '../schema.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';

/** Spec: POST /containers/(id)/update. */
@injectable()
export class UpdateContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(HostFacts) private readonly host: HostFacts,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  /** The limits of a running container change at once. @returns warnings. */
  update(reference: string, body: UpdateBody): Promise<readonly string[]> {
    const container = this.store.get(reference);
    return container.mutex.run(async () => {
      const { id, state } = container.record;
      if (container.isRemoving || state.status === 'removing' || state.status === 'dead') {
        throw conflict(`Container ${id} is marked for removal and cannot be "update".`);
      }
      const { hostConfig, resources, warnings } = prepareUpdate(container.record, body, { host: this.host });
      if (resources !== undefined && isAlive(state)) {
        await this.drivers.runtimeOf(container.record).update(id, resources);
      }
      crashPoint('container.update.applied');
      await container.change(
        (record) => ({ ...record, hostConfig }),
        () => this.events.publish(container.record, 'update'),
      );
      return warnings;
    });
  }
}
