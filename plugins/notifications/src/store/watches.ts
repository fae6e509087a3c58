import { inject, injectable } from '@gantry/core/driver';
import type { Account } from '@gantry/hosted-api/service';
import { NotificationStore, watchKey } from './notification-store.js';
import type { WatchRecord } from './records.js';

/** The watchers of repositories. */
@injectable()
export class Watches {
  /** Account ids by repository. */
  readonly #watchers = new Map<number, Set<number>>();

  constructor(@inject(NotificationStore) private readonly store: NotificationStore) {
    for (const [, record] of store.watches.entries()) this.#index(record);
  }

  get(accountId: number, repositoryId: number): WatchRecord | undefined {
    return this.store.watches.get(watchKey(accountId, repositoryId));
  }

  /** Accounts that watch a repository. */
  *watchers(repositoryId: number): Iterable<number> {
    for (const accountId of this.#watchers.get(repositoryId) ?? []) {
      if (this.get(accountId, repositoryId)?.level === 'watching') yield accountId;
    }
  }

  /** Repositories an account watches. */
  repositoriesOf({ id }: Account): readonly number[] {
    return [...this.#watchers]
      .filter(([repositoryId, accounts]) => accounts.has(id) && this.get(id, repositoryId)?.level === 'watching')
      .map(([repositoryId]) => repositoryId);
  }

  async set(accountId: number, repositoryId: number, level: WatchRecord['level']): Promise<WatchRecord> {
    const createdAt = this.get(accountId, repositoryId)?.createdAt ?? Date.now();
    const record: WatchRecord = { accountId, repositoryId, level, createdAt };
    await this.store.watches.put(watchKey(accountId, repositoryId), record);
    this.#index(record);
    return record;
  }

  async delete(accountId: number, repositoryId: number): Promise<void> {
    await this.store.watches.delete(watchKey(accountId, repositoryId));
  }

  #index({ accountId, repositoryId }: WatchRecord): void {
    const accounts = this.#watchers.get(repositoryId) ?? new Set();
    this.#watchers.set(repositoryId, accounts.add(accountId));
  }
}
