import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { ContainerDrivers } from '../container-drivers.js';
import { ContainerEvents } from '../container-events.js';
import { ContainerStore } from '../store/container-store.js';
import { resumeRun } from '../transitions.js';

/** Spec: POST /containers/(id)/unpause. */
@injectable()
export class UnpauseContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  unpause(reference: string): Promise<void> {
    const container = this.store.get(reference);
    return container.mutex.run(async () => {
      const { id, state } = container.record;
      if (state.status !== 'paused') throw internal(`Container ${id} is not paused`);
      await this.drivers.runtimeOf(container.record).resume(id);
      crashPoint('container.unpause.thawed');
      await container.change(resumeRun, () => this.events.publish(container.record, 'unpause'));
    });
  }
}
