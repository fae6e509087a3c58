import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { ContainerDrivers } from '../container-drivers.js';
import type { ContainerRecord } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { toInspect } from '../wire/to-inspect.js';
import { ContainerFacts } from './container-facts.js';
import { ContainerSizes } from './container-sizes.js';

/** Spec: GET /containers/(id)/json. */
@injectable()
export class InspectContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerFacts) private readonly facts: ContainerFacts,
    @inject(ContainerSizes) private readonly sizes: ContainerSizes,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
  ) {}

  async inspect(reference: string, options: { readonly size: boolean }): Promise<ReturnType<typeof toInspect>> {
    const { record } = this.store.get(reference);
    const sizes = options.size ? { sizes: await this.sizes.measure(record) } : {};
    const storage = await this.#storage(record);
    return toInspect(record, { ...this.facts.live(record), ...sizes, storage }, this.store.lookup);
  }

  /** A container can be inspected although its storage driver is absent or, during its removal, its layer. */
  async #storage(record: ContainerRecord): Promise<Readonly<Record<string, string>>> {
    if (!this.drivers.hasStorageOf(record)) return {};
    try {
      return await this.drivers.storageOf(record).describe(record.id, 'writable');
    } catch (error) {
      if (kindOf(error) !== 'not-found') throw error;
      return {};
    }
  }
}
