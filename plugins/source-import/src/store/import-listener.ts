import type { Transaction } from '@gantry/core/contracts';
import type { ImportRecord } from './records.js';

/** Notified of every change of an import's status. The status is that of the new state, or `cancelled`. */
export interface ImportListener {
  /** Called within the transaction of the change. */
  record(transaction: Transaction, record: ImportRecord, status: string): void;
  /** Called once the transaction is committed. */
  publish(record: ImportRecord, status: string): void;
}

export const ImportListener = Symbol('import listener');
