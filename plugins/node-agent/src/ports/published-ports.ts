import { Clock, inject, injectable, Mutex } from '@gantry/core/driver';
import type { AgentSession } from '@gantry/services/service';
import { IngressPorts } from './ingress-ports.js';

/** Milliseconds after which ports are published again: one may have been taken, and is free now. */
const retryDelay = 2_000;

/** Keeps the published ports of the cluster in step with the tasks of a session. */
@injectable()
export class PublishedPorts {
  readonly #mutex = new Mutex();
  #cancel: (() => void) | undefined;
  #isWaiting = false;

  constructor(
    @inject(IngressPorts) private readonly ports: IngressPorts,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  follow(session: AgentSession): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#mutex.run(async () => {
      this.#isWaiting = false;
      this.#cancel?.();
      if (session.signal.aborted) return;
      const services = session.publishedServices();
      const isComplete = await this.ports.publish(services);
      if (!isComplete) this.#cancel = this.clock.after(retryDelay, () => this.follow(session));
    });
  }

  async close(): Promise<void> {
    this.#cancel?.();
    await this.#mutex.run(() => this.ports.publish([]));
  }
}
