import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';

/** The runtimes that containers may ask for: the runtime drivers, and the default driver's own. */
@injectable()
export class RuntimeNames {
  #described: readonly string[] | undefined;

  constructor(@inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>) {
    void this.#describe();
  }

  /**
   * Whether there is a runtime of that name. At the very first start runtimes may still be verified: until then every
   * name is accepted here, and the start of the container refuses an absent one.
   */
  has(name: string): boolean {
    return this.runtimes.has(name) || this.#described === undefined || this.#described.includes(name);
  }

  async #describe(): Promise<void> {
    try {
      this.#described = (await this.runtimes.get().describe()).runtimes;
    } catch {
      this.#described = [];
    }
  }
}
