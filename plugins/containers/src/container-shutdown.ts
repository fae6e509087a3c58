import { inject, injectable, untilAborted } from '@gantry/core/driver';
import { PendingRestarts } from './restarts/pending-restarts.js';
import { ContainerStore } from './store/container-store.js';
import { Attachments } from './streams/attachments.js';

/** Ends the work of this package; the containers keep running. */
@injectable()
export class ContainerShutdown {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(PendingRestarts) private readonly restarts: PendingRestarts,
    @inject(Attachments) private readonly attachments: Attachments,
  ) {}

  async stop(signal: AbortSignal): Promise<void> {
    this.restarts.suspend();
    await this.#untilIdle(signal);
    this.attachments.close();
  }

  /** Waits for operations that are under way, until the signal aborts. */
  async #untilIdle(signal: AbortSignal): Promise<void> {
    const idle = [...this.store.all()].map(async (container) => {
      await container.mutex.run(async () => undefined);
      await container.released;
    });
    await Promise.race([Promise.all(idle), untilAborted(signal)]);
  }
}
