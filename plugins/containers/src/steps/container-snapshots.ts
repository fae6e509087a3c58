import type { Readable } from 'node:stream';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { ContainerDrivers } from '../container-drivers.js';
import { PauseContainer } from '../lifecycle/pause-container.js';
import { UnpauseContainer } from '../lifecycle/unpause-container.js';
import { changedLayer } from '../roots/changed-layer.js';
import { ContainerStore } from '../store/container-store.js';

/** Reads the changes of containers, which may be paused meanwhile. */
@injectable()
export class ContainerSnapshots {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(PauseContainer) private readonly pauseContainer: PauseContainer,
    @inject(UnpauseContainer) private readonly unpauseContainer: UnpauseContainer,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async layer(reference: string, options?: { readonly signal?: AbortSignal }): Promise<Readable | undefined> {
    const { record } = this.store.get(reference);
    return changedLayer(await this.drivers.storageOf(record).diff(record.id, options));
  }

  async whilePaused<T>(reference: string, work: () => Promise<T>): Promise<T> {
    const { record } = this.store.get(reference);
    if (record.state.status !== 'running') return work();
    await this.pauseContainer.pause(record.id);
    try {
      return await work();
    } finally {
      await this.#unpause(record.id);
    }
  }

  async #unpause(id: string): Promise<void> {
    await this.unpauseContainer.unpause(id).catch((error: unknown) => {
      // A client has unpaused, killed or removed it meanwhile.
      const facts = { event: 'container.resume-failed', container: id, reason: messageOf(error) };
      this.log.debug(facts, 'failed to unpause a container');
    });
  }
}
