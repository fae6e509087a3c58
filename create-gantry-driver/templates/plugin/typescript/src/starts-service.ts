import { Config, type DriverLifecycle, EngineEvents, inject, injectable, Lifetime, Logger } from '@gantry/core/plugin';
import type { __Name__Config } from './config.js';
import type { __Name__ } from './service.js';

/** Counts starts of containers, and publishes an event after every so many. */
@injectable()
export class StartsService implements __Name__, DriverLifecycle<__Name__Config> {
  #config: __Name__Config;
  #starts = 0;

  constructor(
    @inject(Config) config: __Name__Config,
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#config = config;
  }

  async start(): Promise<void> {
    this.lifetime.add(
      this.events.subscribe(({ type, action }) => {
        if (type === 'container' && action === 'start') this.#count();
      }),
    );
  }

  /** A changed section holds at once. */
  async reconfigure(config: __Name__Config): Promise<void> {
    this.#config = config;
  }

  starts(): number {
    return this.#starts;
  }

  reset(): void {
    this.#starts = 0;
    this.log.info({ event: '__id__.reset' }, 'starts are counted anew');
  }

  #count(): void {
    this.#starts += 1;
    if (this.#starts % this.#config.every !== 0) return;
    const attributes = { starts: String(this.#starts) };
    this.events.publish({ type: 'plugin', action: 'milestone', actor: { id: '__id__', attributes } });
  }
}
