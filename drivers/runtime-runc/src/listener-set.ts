import type { Logger } from '@gantry/core/driver';

/** Listeners of one kind of event. A listener that throws is logged and affects no other. */
export class ListenerSet<T> {
  readonly #listeners = new Set<(event: T) => void>();

  constructor(private readonly log: Logger) {}

  /** @returns ends the subscription. */
  add(listener: (event: T) => void): () => void {
    // Wrapped, so that adding the same function twice makes two subscriptions.
    const own = (event: T): void => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  notify(event: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.log.error({ event: 'runtime.listener-failed', error }, 'event listener threw');
      }
    }
  }
}
