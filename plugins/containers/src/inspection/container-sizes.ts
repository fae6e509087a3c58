import { Clock, inject, injectable } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import { ContainerDrivers } from '../container-drivers.js';
import type { ContainerRecord, ContainerState } from '../record.js';
import { RootMounts } from '../roots/root-mounts.js';
import { ContainerStore } from '../store/container-store.js';
import { StoredSizes } from '../store/stored-sizes.js';
import { isAlive } from '../transitions.js';
import type { ListedFacts } from '../wire/live-facts.js';

/** The sizes of containers. */
@injectable()
export class ContainerSizes {
  /** Sizes of containers that do not run, by their states: each run ends in a state of its own. */
  readonly #idle = new WeakMap<ContainerState, { readonly size: number; readonly holds: number }>();
  /** The last measurements of containers that run. */
  readonly #running = new WeakMap<ContainerState, { readonly size: number; readonly at: bigint }>();

  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'byId'>,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'byId'>,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(RootMounts) private readonly roots: Pick<RootMounts, 'holdsOf'>,
    @inject(StoredSizes) private readonly stored: Pick<StoredSizes, 'get' | 'keep'>,
  ) {}

  /**
   * Bytes on disk. A container that does not run is measured once after each change, also over restarts of the daemon; of one that runs, a measurement of up
   * to `maxAge` milliseconds counts.
   */
  async measure(
    record: ContainerRecord,
    { maxAge = 0 }: { readonly maxAge?: number } = {},
  ): Promise<NonNullable<ListedFacts['sizes']>> {
    const writable = await this.#writableSize(record, maxAge);
    return { writable, rootfs: writable + (this.images.byId(record.imageId)?.size ?? 0) };
  }

  /** Whether it does not run, and was not measured since it changed. */
  isUnmeasured(record: ContainerRecord): boolean {
    const holds = this.#holds(record.id);
    if (!isIdle(record.state, holds) || this.#idle.get(record.state)?.holds === holds) return false;
    return this.#idle.has(record.state) || this.stored.get(record) === undefined;
  }

  async #writableSize(record: ContainerRecord, maxAge: number): Promise<number> {
    const { id, state } = record;
    const holds = this.#holds(id);
    const known = this.#idle.get(state);
    if (known !== undefined && known.holds === holds) return known.size;
    const idle = isIdle(state, holds);
    const stored = idle && known === undefined ? this.stored.get(record) : undefined;
    if (idle && stored !== undefined) {
      this.#idle.set(state, { size: stored, holds });
      return stored;
    }
    const last = this.#running.get(state);
    const since = this.clock.now();
    if (last !== undefined && maxAge > 0 && since - last.at <= BigInt(maxAge) * 1_000_000n) return last.size;
    const size = await this.drivers.storageOf(record).writableSize(id);
    if (isAlive(state)) this.#running.set(state, { size, at: since });
    if (idle && holds === this.#holds(id)) {
      this.#idle.set(state, { size, holds });
      this.stored.keep(record, size);
    }
    return size;
  }

  #holds(id: string): number | undefined {
    const container = this.store.byId(id);
    return container === undefined ? undefined : this.roots.holdsOf(container);
  }
}

const idleStates: readonly ContainerState['status'][] = ['created', 'exited', 'dead'];

/** @param holds how often its root has been mounted for others; undefined while it is. */
const isIdle = ({ status }: ContainerState, holds: number | undefined): holds is number =>
  holds !== undefined && idleStates.includes(status);
