import { Clock, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { ContainerStore } from '../store/container-store.js';
import { ContainerSizes } from './container-sizes.js';

/** Nanoseconds after which the rest waits until the engine is idle again: other packages have something to do then, too. */
const period = 10_000_000_000n;

/** Measures containers while the engine is idle, so that no client waits for that. */
@injectable()
export class MeasureAtLeisure {
  constructor(
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'all'>,
    @inject(ContainerSizes) private readonly sizes: Pick<ContainerSizes, 'isUnmeasured' | 'measure'>,
    @inject(Clock.token) private readonly clock: Pick<Clock, 'now'>,
    @inject(Lifetime) private readonly lifetime: Pick<Lifetime, 'isReleased'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** One after the other: clients that come meanwhile are not to notice. */
  async measure(): Promise<void> {
    const end = this.clock.now() + period;
    for (const { record } of [...this.store.all()]) {
      if (this.lifetime.isReleased || this.clock.now() >= end) return;
      if (!this.sizes.isUnmeasured(record)) continue;
      await this.sizes.measure(record).catch((error: unknown) => {
        // It may be removed meanwhile; anything else is reported to the next client that asks for its size.
        this.log.debug(
          { event: 'container.not-measured', container: record.id, error },
          'failed to measure a container',
        );
      });
    }
  }
}
