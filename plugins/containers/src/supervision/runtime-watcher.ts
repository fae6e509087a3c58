import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { ContainerEvents } from '../container-events.js';
import { ContainerStore } from '../store/container-store.js';
import { ExitHandler } from './exit-handler.js';

/** Subscribes to what the runtime drivers report about tasks. */
@injectable()
export class RuntimeWatcher {
  constructor(
    @inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>,
    @inject(ExitHandler) private readonly exits: ExitHandler,
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  watch(): void {
    for (const [, runtime] of this.runtimes.entries()) {
      this.lifetime.add(
        runtime.onExit((exit) => {
          this.exits.handle(runtime, exit).catch((error: unknown) => {
            const facts = { event: 'container.exit-failed', container: exit.id, error };
            this.log.error(facts, 'failed to process a container exit');
          });
        }),
      );
      this.lifetime.add(
        runtime.onOom((id) => {
          const container = this.store.byId(id);
          if (container !== undefined) this.events.publish(container.record, 'oom');
        }),
      );
    }
  }
}
