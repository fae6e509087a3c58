import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';

/** Those who want to be told something. One that throws keeps neither the others nor the teller from going on. */
export class Listeners<T> {
  readonly #listeners = new Set<(news: T) => void>();

  constructor(private readonly log: Logger) {}

  /** @returns ends the subscription. */
  add(listener: (news: T) => void): () => void {
    // Wrapped, so that adding the same function twice makes two subscriptions.
    const own = (news: T): void => listener(news);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  tell(news: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(news);
      } catch (error) {
        this.log.error({ event: 'runtime.listener-failed', error: messageOf(error) }, 'a listener failed');
      }
    }
  }
}
