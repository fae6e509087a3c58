import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import type { ContainerRecord } from '../record.js';

interface StoredSize {
  readonly size: number;
  /** The state in which it was measured, as JSON: each run ends in a state of its own. */
  readonly state: string;
}

/** Sizes of the writable layers of containers that do not run, for the next daemon. */
@injectable()
export class StoredSizes {
  readonly #sizes: Collection<StoredSize>;
  /** Whose size may be stored, or is about to be. */
  readonly #ids: Set<string>;

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#sizes = states.get().collection<StoredSize>({
      name: 'container-sizes',
      version: 1,
      parse: (value) => value as StoredSize,
    });
    this.#ids = new Set([...this.#sizes.entries()].map(([id]) => id));
  }

  /** Undefined unless it was measured in the state that the container is in. */
  get({ id, state }: ContainerRecord): number | undefined {
    const stored = this.#sizes.get(id);
    return stored?.state === JSON.stringify(state) ? stored.size : undefined;
  }

  /** Stores a size without waiting; after a crash it may have to be measured again. */
  keep({ id, state }: ContainerRecord, size: number): void {
    this.#ids.add(id);
    this.#sizes.put(id, { size, state: JSON.stringify(state) }).catch((err: unknown) => {
      this.log.warn(
        { event: 'container.size-not-stored', container: id, err },
        'failed to store the size of a container',
      );
    });
  }

  /** Called before the layer can change without a run. When it resolves no later daemon finds the size. */
  async forget(id: string): Promise<void> {
    if (!this.#ids.has(id)) return;
    await this.#sizes.delete(id);
    this.#ids.delete(id);
  }
}
