import { rfc3339 } from '@gantry/core/driver';

/** A point in time, as records have it and as it is compared. */
export interface Moment {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly ms: number;
}

export const momentOf = (nanos: bigint): Moment => ({ text: rfc3339(nanos), ms: Number(nanos / 1_000_000n) });

/** The moment so many nanoseconds later, as records have it. */
export const later = (moment: Moment, nanos: number): string => rfc3339(BigInt(moment.ms) * 1_000_000n + BigInt(nanos));
