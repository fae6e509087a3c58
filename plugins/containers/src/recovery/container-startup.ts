import { inject, injectable, Logger } from '@gantry/core/driver';
import { LogSweep } from '../logging/log-sweep.js';
import { RuntimeWatcher } from '../supervision/runtime-watcher.js';
import { ContainerRecovery } from './container-recovery.js';
import { OrphanRemoval } from './orphan-removal.js';
import { UnpublishedEvents } from './unpublished-events.js';

/** Takes over what an earlier daemon left, in the order that this requires. */
@injectable()
export class ContainerStartup {
  #removeOrphans: () => Promise<void> = async () => undefined;

  constructor(
    @inject(UnpublishedEvents) private readonly events: UnpublishedEvents,
    @inject(RuntimeWatcher) private readonly runtimes: RuntimeWatcher,
    @inject(OrphanRemoval) private readonly orphans: OrphanRemoval,
    @inject(ContainerRecovery) private readonly recovery: ContainerRecovery,
    @inject(LogSweep) private readonly logs: LogSweep,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    const began = performance.now();
    await this.events.publish();
    this.runtimes.watch();
    this.#removeOrphans = await this.orphans.find();
    const recovered = await this.recovery.recover();
    const tookMs = Math.round(performance.now() - began);
    const facts = { event: 'containers.recovered', ...recovered, tookMs };
    this.log.info(facts, 'containers recovered');
  }

  /** Cleans up in the background: clients do not wait for it. */
  ready(): void {
    void this.#removeOrphans();
    this.logs.start();
  }
}
