import type { Subject } from '../scenario.js';

/** A cost at a size. */
export interface GrowthPoint {
  readonly figure: string;
  readonly size: number;
  readonly value: number;
}

/** Measures how costs grow with the number of some resource, which is created for the measurement and removed. */
export interface Growth {
  readonly name: string;
  /** The largest size to measure. */
  readonly most: number;
  /** Yields the costs at each size; sizes are in ascending order. */
  measure(subject: Subject, sizes: readonly number[]): AsyncIterable<GrowthPoint>;
}
