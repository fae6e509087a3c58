import type { Scope } from '@gantry/test-nodes';

/** Releases resources in reverse order, for programs that are no tests. */
export class ProgramScope implements Scope {
  readonly #all: (() => Promise<void> | void)[] = [];

  teardown(release: () => Promise<void> | void): void {
    this.#all.push(release);
  }

  async end(): Promise<void> {
    for (const release of this.#all.splice(0).reverse()) await release();
  }
}
