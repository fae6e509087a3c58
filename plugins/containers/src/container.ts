import type { Collection } from '@gantry/core/contracts';
import { Mutex } from '@gantry/core/driver';
import type { ContainerRecord } from './record.js';
import type { Transition } from './transitions.js';

/**
 * What this process is doing for the current run of a container. Between `starting` and `ending` the run needs no
 * attention: its record says whether it is running or paused.
 */
type RunPhase =
  | { readonly phase: 'steady' }
  /** `settled` resolves once the outcome of the start is durable, `released` once the last run is; neither rejects. */
  | { readonly phase: 'starting'; readonly settled: Promise<void>; readonly released: Promise<void> }
  /** The task has exited. `unrecorded` is why the exit could not be stored yet; `released` never rejects. */
  | { readonly phase: 'ending'; readonly released: Promise<void>; readonly unrecorded?: string };

/** `stored` only in this process: the stop was requested while the disk did not accept writes. */
type StopRequest = 'none' | 'unstored';

type Removal = 'none' | 'in-progress' | 'done';

const nothing = Promise.resolve();

/**
 * One container in memory: its record, and what only the present process knows of it. The record seen here is always
 * durable.
 */
export class Container {
  /** Serializes the operations that change the container. None of them waits for its exit while holding it. */
  readonly mutex = new Mutex();

  /** Serializes calls to the networks area: an exit leaves networks while an operation may be joining one. */
  readonly networkMutex = new Mutex();

  /** A stop that could not be stored; it is stored with the exit. */
  stopRequest: StopRequest = 'none';

  /** An earlier daemon has published that it is removed, and was killed before everything of it was deleted. */
  isDestroyPublished = false;

  readonly #collection: Collection<ContainerRecord>;
  readonly #changes = new Mutex();
  readonly #watchers = new Set<() => void>();
  #run: RunPhase = { phase: 'steady' };
  #removal: Removal = 'none';
  #record: ContainerRecord;

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

  get run(): RunPhase {
    return this.#run;
  }

  set run(phase: RunPhase) {
    this.#run = phase;
    this.#notify();
  }

  /** Resolves when no start is under way. Never rejects. */
  get startSettled(): Promise<void> {
    return this.#run.phase === 'starting' ? this.#run.settled : nothing;
  }

  /** Resolves when the resources of the last run are released. Never rejects. */
  get released(): Promise<void> {
    return this.#run.phase === 'steady' ? nothing : this.#run.released;
  }

  /** Why the exit of its task is not recorded yet, though that was tried. */
  get unrecordedExit(): string | undefined {
    return this.#run.phase === 'ending' ? this.#run.unrecorded : undefined;
  }

  get isRemoving(): boolean {
    return this.#removal === 'in-progress';
  }

  /** No one finds it any more; what it had, its record last, is deleted in the background. */
  get isRemoved(): boolean {
    return this.#removal === 'done';
  }

  /** Runs a removal. No start is accepted meanwhile, nor after it has succeeded. */
  async whileRemoving(work: () => Promise<void>): Promise<void> {
    this.#removal = 'in-progress';
    try {
      await work();
    } finally {
      if (this.#removal === 'in-progress') this.#removal = 'none';
    }
  }

  /**
   * Applies a transition to the record as it is once all earlier changes are stored. Durable when it resolves.
   * `announce` is called then, before the watchers of the state.
   * @returns false when the transition was not allowed.
   */
  change(transition: Transition, announce?: () => void): Promise<boolean> {
    return this.#changes.run(async () => {
      const next = this.isRemoved ? undefined : transition(this.#record);
      if (next === undefined) return false;
      await this.#collection.put(next.id, next);
      this.#record = next;
      announce?.();
      this.#notify();
      return true;
    });
  }

  /** After all earlier changes; later ones are not allowed. */
  async markRemoved(): Promise<void> {
    await this.#changes.run(async () => {
      this.#removal = 'done';
    });
    this.#notify();
  }

  /** Resolves when the condition holds of the record, or the container is removed. Rejects when the signal aborts. */
  until(
    condition: (record: ContainerRecord) => boolean,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const check = (): boolean => {
        if (!this.isRemoved && !condition(this.#record)) return false;
        unsubscribe();
        resolve();
        return true;
      };
      const abort = () => {
        unsubscribe();
        reject(signal?.reason);
      };
      const unsubscribe = () => {
        this.#watchers.delete(check);
        signal?.removeEventListener('abort', abort);
      };
      if (signal?.aborted) return abort();
      if (check()) return undefined;
      this.#watchers.add(check);
      signal?.addEventListener('abort', abort);
      return undefined;
    });
  }

  #notify(): void {
    for (const check of [...this.#watchers]) check();
  }
}
