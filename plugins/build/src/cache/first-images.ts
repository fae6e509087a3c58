import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';

/** Ids of images without a parent that a build made: only those are in the cache. */
@injectable()
export class FirstImages {
  readonly #ids: Collection<string>;

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.#ids = states.get().collection({ name: 'build-firsts', version: 1, parse: parseId });
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  async add(id: string): Promise<void> {
    await this.#ids.put(id, id);
  }
}

function parseId(value: unknown): string {
  if (typeof value !== 'string') throw invalidArgument(`${JSON.stringify(value)} is no image id`);
  return value;
}
