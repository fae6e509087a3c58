import type { Subject } from '../scenario.js';

/** One cost at one size. */
export interface GrowthPoint {
  readonly figure: string;
  readonly size: number;
  readonly value: number;
}

/** Something there can be much of. It grows from size to size, and goes at the end. */
export interface Growth {
  readonly name: string;
  /** The largest size that makes sense. */
  readonly most: number;
  /** Yields the costs at each of the sizes, which ascend. */
  measure(subject: Subject, sizes: readonly number[]): AsyncIterable<GrowthPoint>;
}
