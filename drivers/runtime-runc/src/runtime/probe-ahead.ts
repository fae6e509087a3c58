import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { trimHeap } from '@gantry/lib-linux/processes';
import { LazyCatalog } from './lazy-catalog.js';

/** How long after the start runtimes are probed, in ms: the first clients are served before. */
const probeDelay = 100;

/** Probes runtimes soon after the start, for the first task not to wait for it. */
@injectable()
export class ProbeAhead implements DriverLifecycle {
  #timer: NodeJS.Timeout | undefined;

  constructor(@inject(LazyCatalog) private readonly catalog: LazyCatalog) {}

  async ready(): Promise<void> {
    this.#timer = setTimeout(() => this.catalog.begin(), probeDelay);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.catalog.idle();
  }

  /** Returns the memory that threads and streams of tasks have freed in the C library. */
  onIdle(): Promise<void> {
    return trimHeap();
  }
}
