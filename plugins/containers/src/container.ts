import type { Collection } from '@gantry/core/contracts';
import { Mutex } from '@gantry/core/driver';
import type { ContainerRecord } from './record.js';
import type { Move } from './transitions.js';

/**
 * One container in memory: its record, and what only the present process knows of it. The record one sees here is
 * always durable.
 */
export class Container {
  /** Verbs that change it run one after the other. Nothing waits for its exit in here. */
  readonly queue = new Mutex();

  /** Calls to the network area, which must not overlap: an exit leaves networks while a verb may be joining one. */
  readonly networkCalls = new Mutex();

  /** What a run holds is being given back. A start and a removal wait for it. Never rejects. */
  released: Promise<void> = Promise.resolve();
  /** A start is under way: settles when its outcome is durable. Never rejects. */
  starting: Promise<void> | undefined;
  /** How many look at its root file system, which then stays mounted. */
  rootHolders = 0;
  /** Somebody removes it. */
  isRemoving = false;
  /** Somebody wants it stopped, and that could not be stored yet. */
  isStopAsked = false;
  /** Calls the pending restart off. */
  cancelRestart: (() => void) | undefined;
  /** The last delay of the restart policy, in milliseconds; 0 when the next is the first. */
  restartDelay = 0;

  readonly #collection: Collection<ContainerRecord>;
  readonly #changes = new Mutex();
  readonly #watchers = new Set<() => void>();
  #endRefused: string | undefined;
  #record: ContainerRecord;
  #isGone = false;

  constructor(collection: Collection<ContainerRecord>, record: ContainerRecord) {
    this.#collection = collection;
    this.#record = record;
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): ContainerRecord {
    return this.#record;
  }

  /** Its record is deleted. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Why its end is not recorded yet, though it was tried. */
  get endRefused(): string | undefined {
    return this.#endRefused;
  }

  set endRefused(reason: string | undefined) {
    this.#endRefused = reason;
    this.#tell();
  }

  /**
   * Makes a move from the record as it will be when all earlier changes are done. Durable when it resolves.
   * `announce` is called then, before those who wait for a state hear of it.
   * @returns false when the move was not allowed.
   */
  change(move: Move, announce?: () => void): Promise<boolean> {
    return this.#changes.run(async () => {
      const next = this.#isGone ? undefined : move(this.#record);
      if (next === undefined) return false;
      await this.#collection.put(next.id, next);
      this.#record = next;
      announce?.();
      this.#tell();
      return true;
    });
  }

  /** The record is deleted by `erase`, after all earlier changes; there are no later ones. */
  async forget(erase: () => Promise<void>): Promise<void> {
    await this.#changes.run(async () => {
      await erase();
      this.#isGone = true;
    });
    this.#tell();
  }

  /** Resolves as soon as the condition holds of the record, or the container is gone. Rejects when the signal aborts. */
  until(
    condition: (record: ContainerRecord) => boolean,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const look = (): boolean => {
        if (!this.#isGone && !condition(this.#record)) return false;
        end();
        resolve();
        return true;
      };
      const abort = () => {
        end();
        reject(signal?.reason);
      };
      const end = () => {
        this.#watchers.delete(look);
        signal?.removeEventListener('abort', abort);
      };
      if (signal?.aborted) return abort();
      if (look()) return undefined;
      this.#watchers.add(look);
      signal?.addEventListener('abort', abort);
      return undefined;
    });
  }

  #tell(): void {
    for (const look of [...this.#watchers]) look();
  }
}
