import type { Scope } from '@gantry/host';

/** Gives back in reverse order what was taken in it, for programs that are no test. */
export class ProgramScope implements Scope {
  readonly #all: (() => Promise<void> | void)[] = [];

  teardown(giveBack: () => Promise<void> | void): void {
    this.#all.push(giveBack);
  }

  async end(): Promise<void> {
    for (const giveBack of this.#all.splice(0).reverse()) await giveBack();
  }
}
