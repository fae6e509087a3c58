import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { ContainerDrivers } from '../container-drivers.js';
import { ContainerEvents } from '../container-events.js';
import { ContainerStore } from '../store/container-store.js';
import { notRunning } from '../tasks/task-signals.js';
import { isAlive, pauseRun } from '../transitions.js';

/** Spec: POST /containers/(id)/pause. */
@injectable()
export class PauseContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  pause(reference: string): Promise<void> {
    const container = this.store.get(reference);
    return container.mutex.run(async () => {
      const { id, state } = container.record;
      if (state.status === 'restarting') {
        throw conflict(`Container ${id} is restarting, wait until the container is running`);
      }
      if (!isAlive(state)) throw notRunning(container);
      if (state.status === 'paused') throw conflict(`Container ${id} is already paused`);
      const runtime = this.drivers.runtimeOf(container.record);
      await runtime.pause(id);
      crashPoint('container.pause.frozen');
      try {
        await container.change(pauseRun, () => this.events.publish(container.record, 'pause'));
      } catch (error) {
        await runtime.resume(id);
        throw error;
      }
    });
  }
}
