import { inject, injectable, untilAborted } from '@gantry/core/driver';
import { BackgroundDeletions } from './removal/background-deletions.js';
import { PendingRestarts } from './restarts/pending-restarts.js';
import { ContainerStore } from './store/container-store.js';
import { Attachments } from './streams/attachments.js';

/** Ends the work of this package; the containers keep running. */
@injectable()
export class ContainerShutdown {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(PendingRestarts) private readonly restarts: PendingRestarts,
    @inject(BackgroundDeletions) private readonly deletions: BackgroundDeletions,
    @inject(Attachments) private readonly attachments: Attachments,
  ) {}

  async stop(signal: AbortSignal): Promise<void> {
    this.restarts.suspend();
    await this.#untilIdle(signal);
    this.attachments.close();
  }

  /** Waits for operations that are under way, until the signal aborts: the next daemon finishes the deletions. */
  async #untilIdle(signal: AbortSignal): Promise<void> {
    const idle = [...this.store.all()].map(async (container) => {
      await container.mutex.run(async () => undefined);
      await container.released;
    });
    const isIdle = Promise.all(idle).then(() => this.deletions.finished());
    await Promise.race([isIdle, untilAborted(signal)]);
  }
}
