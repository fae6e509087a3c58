import type { Transaction } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord, ImportState } from '../store/records.js';
import { ImportRunner } from './import-runner.js';

/** Stores a change that the history has to be rewritten for. */
@injectable()
export class RequestRewrite {
  constructor(
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportRunner) private readonly runner: ImportRunner,
  ) {}

  /** `change` returns undefined to change nothing. A complete import is rewritten; one in progress rewrites once more. */
  async request(
    id: number,
    change: (record: ImportRecord, transaction: Transaction) => ImportRecord | undefined,
  ): Promise<ImportRecord | undefined> {
    const changed = await this.store.change(id, (record, transaction) => {
      const wanted = change(record, transaction);
      const state: ImportState = record.state.status === 'complete' ? { status: 'mapping' } : record.state;
      return wanted && { ...wanted, state, wishes: record.wishes + 1 };
    });
    if (changed?.state.status === 'mapping') this.runner.add(id);
    return changed;
  }
}
