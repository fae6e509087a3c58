import { inject, injectable, Logger } from '@gantry/core/driver';

/** Code of other areas that is notified of an exit before clients are. A listener that throws affects no other. */
@injectable()
export class ExitListeners {
  readonly #listeners = new Set<(containerId: string) => void>();

  constructor(@inject(Logger) private readonly log: Logger) {}

  add(listener: (containerId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(containerId: string): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(containerId);
      } catch (error) {
        this.log.error({ event: 'container.exit-listener-failed', container: containerId, error }, 'a listener threw');
      }
    }
  }
}
