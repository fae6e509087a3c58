import type { Scope } from './daemon/daemon.js';

/** Releases resources in reverse order, for programs that are no tests. */
export class ProgramScope implements Scope {
  readonly #all: (() => Promise<void> | void)[] = [];

  teardown(release: () => Promise<void> | void): void {
    this.#all.push(release);
  }

  /** Releases all of them, also after one that fails. Rejects with the first failure. */
  async end(): Promise<void> {
    const errors: unknown[] = [];
    for (const release of this.#all.splice(0).reverse()) {
      await Promise.resolve()
        .then(release)
        .catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
}
