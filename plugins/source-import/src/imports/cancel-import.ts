import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable } from '@gantry/core/driver';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord } from '../store/records.js';
import { DiscardImport } from './discard-import.js';
import { ImportChanges } from './import-changes.js';
import { ImportRunner } from './import-runner.js';

/** The response does not wait longer for programs to exit. */
const stopWithinMs = 1500;

@injectable()
export class CancelImport {
  constructor(
    @inject(ImportChanges) private readonly changes: ImportChanges,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportRunner) private readonly runner: ImportRunner,
    @inject(DiscardImport) private readonly discardImport: DiscardImport,
  ) {}

  /** Deletes an import. What it pushed to the repository stays. */
  cancel(record: ImportRecord): Promise<void> {
    return this.changes.run(record.repositoryId, () => this.#delete(record, 'cancelled'));
  }

  /** Deletes the import into a repository that is being deleted, without an event. The caller serializes changes. */
  async deleteWithin(repositoryId: number): Promise<void> {
    const record = this.store.into(repositoryId);
    if (record !== undefined) await this.#delete(record);
  }

  async #delete(record: ImportRecord, status?: 'cancelled'): Promise<void> {
    const stopped = this.runner.stop(record.id);
    await Promise.race([stopped, delay(stopWithinMs, undefined, { ref: false })]);
    await this.store.delete(record, status);
    this.discardImport.discard(record.id);
  }
}
