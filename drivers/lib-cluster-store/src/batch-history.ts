import { WatchCompacted } from '@gantry/core/contracts';
import type { StoredRecord } from './stored-record.js';

/** What one transaction did, before anyone has read the records. */
export interface StoredBatch {
  readonly revision: number;
  readonly changes: readonly StoredChange[];
}

export interface StoredChange {
  readonly kind: string;
  readonly id: string;
  readonly before: StoredRecord | undefined;
  readonly after: StoredRecord | undefined;
}

/**
 * The newest transactions, for watches that lie behind: at least so many changes. A limit of transactions would keep a
 * thousand records for each of the largest.
 */
export class BatchHistory {
  readonly #batches: StoredBatch[] = [];
  /** Of the newest batch that was dropped: watches from before it cannot be served. */
  #oldest: number;
  #changes = 0;

  constructor(
    revision: number,
    private readonly limit: number,
  ) {
    this.#oldest = revision;
  }

  add(batch: StoredBatch): void {
    this.#batches.push(batch);
    this.#changes += batch.changes.length;
    // Dropped in chunks, so that adding stays cheap
    if (this.#changes < this.limit * 1.25) return;
    let count = 0;
    for (; this.#changes - (this.#batches[count]?.changes.length ?? 0) >= this.limit; count++) {
      this.#changes -= this.#batches[count]?.changes.length ?? 0;
    }
    const dropped = this.#batches.splice(0, count);
    this.#oldest = dropped.at(-1)?.revision ?? this.#oldest;
  }

  /** The batches after a revision, in order. @throws WatchCompacted when some of them were dropped. */
  after(revision: number): readonly StoredBatch[] {
    if (revision < this.#oldest) throw new WatchCompacted(revision, this.#oldest);
    return this.#batches.slice(this.#firstAfter(revision));
  }

  /** Nothing before this revision can be watched any more. */
  clear(revision: number): void {
    this.#batches.length = 0;
    this.#changes = 0;
    this.#oldest = revision;
  }

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#batches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#batches[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
