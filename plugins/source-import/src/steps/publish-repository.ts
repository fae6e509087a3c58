import { inject, injectable } from '@gantry/core/driver';
import { CredentialVault } from '../store/credential-vault.js';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord } from '../store/records.js';
import type { ImportStep } from './import-step.js';
import { PushHistory } from './push-history.js';

/** `pushing`: publishes the rewritten history, and completes the import unless it is to be rewritten again. */
@injectable()
export class PublishRepository implements ImportStep {
  constructor(
    @inject(PushHistory) private readonly history: PushHistory,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(CredentialVault) private readonly credentials: CredentialVault,
  ) {}

  async run(record: ImportRecord, signal: AbortSignal): Promise<void> {
    await this.history.push(record, signal);
    const moved = await this.store.change(record.id, (now) => ({
      ...now,
      state: { status: now.wishes > now.fulfilled ? 'mapping' : 'complete' },
    }));
    if (moved?.state.status === 'complete') this.credentials.delete(record.id);
  }
}
