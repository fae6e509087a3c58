import { type ServicePoint, servicePoint } from '../kernel/points/driver-point.js';
import { systemTimer, type Timer } from './timer.js';

/** A port of the host: wall-clock time and timers. Tests replace it with a clock of their own. */
export interface Clock extends Timer {
  /** Nanoseconds since the epoch. */
  now(): bigint;
}

/** The host's clock. Finer than `Date.now()`, and following it when it is set. */
export class SystemClock implements Clock {
  /** Wall clock minus monotonic clock in milliseconds, never more than the truth. */
  #offset = Number.NEGATIVE_INFINITY;

  now(): bigint {
    const monotonic = performance.now();
    // Date.now() cuts the fraction off, so the largest difference seen is the nearest to the truth.
    const difference = Date.now() - monotonic;
    if (difference > this.#offset || difference < this.#offset - 1.5) this.#offset = difference;
    return BigInt(Math.round((this.#offset + monotonic) * 1000)) * 1000n;
  }

  after(milliseconds: number, callback: () => void): () => void {
    return systemTimer.after(milliseconds, callback);
  }
}

export const Clock: ServicePoint<Clock> = servicePoint<Clock>('clock', { fallback: () => new SystemClock() });

/** `2006-01-02T15:04:05.999999999Z`, always with nine decimals, so that texts order as times. */
export function rfc3339(nanos: bigint): string {
  const seconds = new Date(Number(nanos / 1_000_000n)).toISOString().slice(0, 19);
  return `${seconds}.${(nanos % 1_000_000_000n).toString().padStart(9, '0')}Z`;
}

/** What inspect shows where a time is not known. */
export const zeroTime = '0001-01-01T00:00:00Z';

/** Nanoseconds since the epoch of an RFC 3339 text with a Z. */
export function nanosOf(text: string): bigint {
  const [seconds = text, fraction = ''] = text.replace('Z', '').split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}
