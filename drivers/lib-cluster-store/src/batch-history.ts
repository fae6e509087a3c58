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

/** Bytes up to which a change, with the record as it was and is, counts as one. */
const bytesOfOne = 8 * 1024;

const weightOf = ({ before, after }: StoredChange): number =>
  Math.max(1, Math.ceil(((before?.size ?? 0) + (after?.size ?? 0)) / bytesOfOne));

const weightOfAll = ({ changes }: StoredBatch): number => changes.reduce((sum, change) => sum + weightOf(change), 0);

/**
 * The newest transactions, for watches that lie behind: at least so many changes, of which a large one counts as several. A
 * limit of transactions would keep a thousand records for each of the largest, and one of mere changes gigabytes of large records.
 */
export class BatchHistory {
  readonly #batches: StoredBatch[] = [];
  /** Of the newest batch that was dropped: watches from before it cannot be served. */
  #oldest: number;
  #weight = 0;

  constructor(
    revision: number,
    private readonly limit: number,
  ) {
    this.#oldest = revision;
  }

  add(batch: StoredBatch): void {
    this.#batches.push(batch);
    this.#weight += weightOfAll(batch);
    // Dropped in chunks, so that adding stays cheap
    if (this.#weight < this.limit * 1.25) return;
    let count = 0;
    for (const each of this.#batches) {
      const rest = this.#weight - weightOfAll(each);
      if (rest < this.limit) break;
      this.#weight = rest;
      count += 1;
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
    this.#weight = 0;
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
