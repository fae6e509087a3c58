import type { Subject } from '../scenario.js';

/** A cost at a size. */
export interface GrowthPoint {
  readonly figure: string;
  readonly size: number;
  readonly value: number;
}

/** A resource whose number grows, for the costs of requests with more and more of it. */
export interface Growth {
  readonly name: string;
  /** The largest size to measure. */
  readonly most: number;
  /** Creates nothing yet. */
  begin(subject: Subject): GrownResource;
}

/** What a growth created so far. */
export interface GrownResource {
  readonly size: number;
  /** Creates what is missing to `size`. Rejects with the engine's first error, and then what was created stays. */
  grow(size: number): Promise<void>;
  /** What requests cost now, each under a name with its unit. May add a few, of which `size` then knows. */
  costs(): Promise<Readonly<Record<string, number>>>;
  /** How many the engine has, as it lists them; absent where it lists none. */
  count?(): Promise<number>;
  /** Removes everything that was created. */
  remove(): Promise<void>;
}
