import { inject, injectable } from '@gantry/core/driver';
import { notModified } from '@gantry/core/errors';
import { ContainerStore } from '../store/container-store.js';
import { type StopOptions, Termination } from '../tasks/termination.js';
import { isRunning } from '../transitions.js';

/** Spec: POST /containers/(id)/stop. */
@injectable()
export class StopContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Termination) private readonly termination: Termination,
  ) {}

  /** Resolves when it has exited and its resources are released. */
  async stop(reference: string, options: StopOptions = {}): Promise<void> {
    const container = this.store.get(reference);
    await container.startSettled;
    if (!isRunning(container.record.state)) throw notModified(`Container ${container.id} is already stopped`);
    await this.termination.stop(container, options);
  }
}
