import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { ContainerEvents } from '../container-events.js';
import { ContainerReview, type Judge } from '../review/container-review.js';
import { ContainerStore } from '../store/container-store.js';
import { ContainerStarter } from '../supervision/container-starter.js';
import { type StopOptions, Termination } from '../tasks/termination.js';
import { isAlive, isRunning } from '../transitions.js';

/** Spec: POST /containers/(id)/restart. */
@injectable()
export class RestartContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Termination) private readonly termination: Termination,
    @inject(ContainerStarter) private readonly starter: ContainerStarter,
    @inject(ContainerReview) private readonly review: ContainerReview,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  /** A container that does not run is started. */
  async restart(reference: string, options: StopOptions = {}, judge?: Judge): Promise<void> {
    const container = this.store.get(reference);
    if (judge !== undefined) await this.review.ofRecord(container.record, judge);
    await container.startSettled;
    if (isRunning(container.record.state)) await this.termination.stop(container, options);
    crashPoint('container.restart.stopped');
    await container.mutex.run(async () => {
      try {
        // Another client may have started it meanwhile, which restarted it as well.
        if (!isAlive(container.record.state)) await this.starter.start(container, { byPolicy: false });
      } catch (error) {
        if (kindOf(error) !== 'not-modified') throw error;
      }
    });
    this.events.publish(container.record, 'restart');
  }
}
