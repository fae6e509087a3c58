import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { slicePath } from '@gantry/lib-oci';
import type { HostConfig } from '../schema.js';

/** The runtimes that containers may ask for: the runtime drivers, and the default driver's own. */
@injectable()
export class OfferedRuntimes {
  #described: readonly string[] | undefined;

  constructor(@inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>) {
    void this.#describe();
  }

  /**
   * Checks `Runtime`, and `CgroupParent` for the cgroup driver of that runtime. At the very first start runtimes may still
   * be verified: until then every name is accepted here, and the start of the container refuses an absent one.
   * @throws EngineError `invalid-argument`.
   */
  check({ Runtime = '', CgroupParent = '' }: HostConfig): void {
    if (Runtime !== '' && !this.#has(Runtime)) throw invalidArgument(`Unknown runtime specified ${Runtime}`);
    const driver = this.runtimes.has(Runtime) ? this.runtimes.get(Runtime) : this.runtimes.get();
    const { cgroupDriver } = driver.capabilities;
    if (CgroupParent !== '' && cgroupDriver === 'none') {
      throw invalidArgument(`CgroupParent: "${CgroupParent}" cannot be used: the engine has no cgroups on this host`);
    }
    if (CgroupParent === '' || cgroupDriver !== 'systemd') return;
    if (slicePath(CgroupParent) === undefined) {
      throw invalidArgument(
        `cgroup-parent for systemd cgroup should be a valid slice named as "xxx.slice", not "${CgroupParent}"`,
      );
    }
  }

  #has(name: string): boolean {
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
