import { EngineError } from '../errors/engine-error.js';

const conflictBrand = Symbol.for('gantry.transaction-conflict');
const compactedBrand = Symbol.for('gantry.watch-compacted');

/**
 * Why a transaction was rejected: a record had another revision or was absent (`revision`), existed already (`exists`),
 * another record has the unique name (`name`), or another member leads by now (`leadership`).
 */
export type ConflictReason = 'revision' | 'exists' | 'name' | 'leadership';

/** A transaction was compared with the records and changed nothing. */
export class TransactionConflict extends EngineError {
  readonly [conflictBrand] = true;

  constructor(
    readonly reason: ConflictReason,
    message: string,
    /** The record concerned, where one is. */
    readonly record?: { readonly kind: string; readonly id: string },
  ) {
    super('conflict', message);
  }

  /** True for a conflict of any installed copy of this package, which `instanceof` would miss. */
  static override is(error: unknown): error is TransactionConflict {
    return typeof error === 'object' && error !== null && conflictBrand in error;
  }
}

/** A watch asked for changes that the store no longer has: the reader has to list the records again. */
export class WatchCompacted extends EngineError {
  readonly [compactedBrand] = true;

  constructor(
    readonly from: number,
    readonly oldest: number,
  ) {
    super('conflict', `changes after revision ${from} are compacted: the oldest kept are those after ${oldest}`);
  }

  static override is(error: unknown): error is WatchCompacted {
    return typeof error === 'object' && error !== null && compactedBrand in error;
  }
}
