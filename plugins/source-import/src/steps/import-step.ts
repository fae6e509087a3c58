import type { ImportRecord } from '../store/records.js';

/** The work of one status: performs it and moves the import on. Rejects with its failure, or the signal's reason. */
export interface ImportStep {
  run(record: ImportRecord, signal: AbortSignal): Promise<void>;
}
