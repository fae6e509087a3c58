import type { Readable } from 'node:stream';

/** A descriptor of this process that somebody else reads for a while, in the place of a stream. */
export interface LentDescriptor {
  /** Does not block. Open until the stream is closed: who reads it elsewhere does so by a duplicate. */
  readonly descriptor: number;
  /** The first bytes of the stream, which were read of the descriptor already. */
  readonly beginning: Buffer;
  /** Bytes of the stream that follow on the descriptor, at least one. What comes behind them belongs to others. */
  readonly length: number;
  /** Milliseconds to wait for the next bytes; 0 is without end. */
  readonly idle: number;
  /**
   * Says that so many bytes were taken of the descriptor, and that nobody reads it there any more. To be called once.
   * The rest of the stream is thrown away. Undefined when it is not known how many, or the rest is not worth waiting
   * for: then nothing more is read.
   */
  giveBack(taken: number | undefined): Promise<void>;
}

/**
 * Lends the descriptor behind a stream of which nothing was read yet, as soon as `least` bytes of it have come and
 * `wants` them. Undefined when it cannot be lent, or is not wanted: then the stream is as it was.
 */
export type Lender = (
  least: number,
  wants: (beginning: Buffer) => boolean,
  signal: AbortSignal | undefined,
) => Promise<LentDescriptor | undefined>;

const lenders = new WeakMap<Readable, Lender>();

/** Says how the descriptor behind a stream is borrowed. */
export function lendDescriptor(stream: Readable, lender: Lender): void {
  lenders.set(stream, lender);
}

/** See {@link Lender}. Rejects with what the stream would fail with, and at abort. */
export async function borrowDescriptor(stream: Readable, ...want: Parameters<Lender>): ReturnType<Lender> {
  return lenders.get(stream)?.(...want);
}
