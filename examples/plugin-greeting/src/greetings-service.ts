import { invalidArgument } from '@gantry/core/errors';
import { Config, type DriverLifecycle, EngineEvents, inject, injectable, Lifetime, Logger } from '@gantry/core/plugin';
import type { GreetingConfig } from './config.js';
import type { Greeting, Greetings } from './service.js';

/** Greets, and counts the containers that start. */
@injectable()
export class GreetingsService implements Greetings, DriverLifecycle<GreetingConfig> {
  #config: GreetingConfig;
  #containers = 0;

  constructor(
    @inject(Config) config: GreetingConfig,
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#config = config;
  }

  async start(): Promise<void> {
    this.lifetime.add(
      this.events.subscribe(({ action, type }) => {
        if (type === 'container' && action === 'start') this.#containers += 1;
      }),
    );
  }

  /** A changed section holds from the next greeting on. */
  async reconfigure(config: GreetingConfig): Promise<void> {
    this.#config = config;
  }

  greet(name: string): Greeting {
    if (!/^\p{L}[\p{L} -]*$/u.test(name)) throw invalidArgument(`name: "${name}" is not a name`);
    this.log.debug({ event: 'greeting.greeted', name }, 'greeted');
    this.events.publish({ type: 'plugin', action: 'greet', actor: { id: 'greeting', attributes: { name } } });
    return { text: `${this.#config.text}, ${name}`, containers: this.#containers };
  }
}
