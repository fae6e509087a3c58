import { inject, injectable } from '@gantry/core/driver';
import { conflict, internal, messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { PendingRestarts } from '../restarts/pending-restarts.js';
import { ContainerStore } from '../store/container-store.js';
import { Termination } from '../tasks/termination.js';
import { isAlive, isRunning } from '../transitions.js';
import { ContainerRemoval } from './container-removal.js';

export interface RemoveOptions {
  /** Kill it first when it runs. */
  readonly force: boolean;
  /** Remove its anonymous volumes too. */
  readonly volumes: boolean;
}

/** Spec: DELETE /containers/(id). */
@injectable()
export class RemoveContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Termination) private readonly termination: Termination,
    @inject(PendingRestarts) private readonly restarts: PendingRestarts,
    @inject(ContainerRemoval) private readonly removal: ContainerRemoval,
  ) {}

  async remove(reference: string, options: RemoveOptions): Promise<void> {
    const container = this.store.get(reference);
    if (container.isRemoving) throw conflict(`removal of container ${reference} is already in progress`);
    await container.whileRemoving(async () => {
      await container.startSettled;
      if (isRunning(container.record.state)) await this.#terminate(container, options.force);
      await container.mutex.run(() => this.removal.remove(container, options));
    });
  }

  async #terminate(container: Container, force: boolean): Promise<void> {
    const { id, state } = container.record;
    if (!force) {
      const what = state.status === 'paused' ? 'paused' : state.status === 'restarting' ? 'restarting' : 'running';
      const how = what === 'paused' ? 'Unpause and then stop' : 'Stop';
      throw conflict(
        `You cannot remove a ${what} container ${id}. ${how} the container before attempting removal or force remove`,
      );
    }
    if (!isAlive(state)) {
      await container.mutex.run(() => this.restarts.cancel(container));
      return;
    }
    try {
      await this.termination.kill(container);
    } catch (cause) {
      // It may have exited by itself.
      if (!isRunning(container.record.state)) return;
      throw internal(`Could not kill running container ${id}, cannot remove - ${messageOf(cause)}`, { cause });
    }
  }
}
