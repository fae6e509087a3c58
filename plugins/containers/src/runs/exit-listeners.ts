import type { Logger } from '@gantry/core/driver';

/** Others of the engine who want to know of an exit before clients do. One that throws stops nobody. */
export class ExitListeners {
  readonly #listeners = new Set<(containerId: string) => void>();

  constructor(private readonly log: Logger) {}

  add(listener: (containerId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(containerId: string): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(containerId);
      } catch (error) {
        this.log.error({ event: 'container.exit-listener-failed', container: containerId, error }, 'a listener threw');
      }
    }
  }
}
