import type { Transaction } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { type Account, validationFailed } from '@gantry/hosted-api/service';
import type { RepositoryFacts } from '../activity.js';
import { NotificationStore, putChanged } from './notification-store.js';
import type { RepositoryRecord } from './records.js';

const nameForm = /^[A-Za-z0-9._-]{1,100}$/;

/** Repositories by case-insensitive name, and by their number at the source, which is kept over renames. */
@injectable()
export class Repositories {
  readonly #idByName = new Map<string, number>();
  readonly #idByOrigin = new Map<string, number>();
  #last = 0;

  constructor(@inject(NotificationStore) private readonly store: NotificationStore) {
    for (const [, record] of store.repositories.entries()) this.#index(record);
  }

  find(owner: string, name: string): RepositoryRecord | undefined {
    const id = this.#idByName.get(fullName(owner, name));
    return id === undefined ? undefined : this.withId(id);
  }

  withId(id: number): RepositoryRecord | undefined {
    return this.store.repositories.get(String(id));
  }

  mayRead(account: Account, repository: RepositoryRecord): boolean {
    const login = account.login.toLowerCase();
    return !repository.private || login === repository.owner.toLowerCase() || repository.readers.includes(login);
  }

  /**
   * Merges a source's facts about a repository, and logins that proved to have access.
   * @throws HostedError 422 for an invalid name.
   */
  update(transaction: Transaction, facts: RepositoryFacts, readers: Iterable<string> = []): RepositoryRecord {
    for (const field of ['owner', 'name'] as const) {
      if (nameForm.test(facts[field])) continue;
      const message = `${JSON.stringify(facts[field])} is not a name such as "gantry"`;
      throw validationFailed({ resource: 'Repository', field, code: 'invalid', message });
    }
    const id = this.#idOf(facts);
    const before = transaction.get(this.store.repositories, String(id));
    const merged: RepositoryRecord = {
      private: false,
      ...before,
      ...facts,
      id,
      revision: before?.revision ?? 0,
      // Readers of public repositories are not recorded: there may be very many.
      readers: (facts.private ?? before?.private) ? joined(before?.readers ?? [], readers) : (before?.readers ?? []),
    };
    if (putChanged(transaction, this.store.repositories, String(id), merged)) {
      transaction.put(this.store.repositories, String(id), { ...merged, revision: merged.revision + 1 });
    }
    this.#index(merged);
    return merged;
  }

  /** Grants or revokes access to a private repository. */
  setReader(transaction: Transaction, facts: RepositoryFacts, login: string, allowed: boolean): void {
    const record = this.update(transaction, facts);
    const others = record.readers.filter((reader) => reader !== login.toLowerCase());
    const readers = allowed ? joined(others, [login]) : others;
    putChanged(transaction, this.store.repositories, String(record.id), { ...record, readers });
  }

  #idOf({ owner, name, origin }: RepositoryFacts): number {
    const known = origin === undefined ? undefined : this.#idByOrigin.get(origin);
    const named = known ?? this.#idByName.get(fullName(owner, name));
    const byName = named === undefined ? undefined : this.withId(named);
    // A repository of that name with another number: of another source, or deleted and created again.
    const isAnother = known === undefined && origin !== undefined && (byName?.origin ?? origin) !== origin;
    if (named !== undefined && !isAnother) return named;
    this.#last += 1;
    return this.#last;
  }

  #index(record: RepositoryRecord): void {
    this.#last = Math.max(this.#last, record.id);
    const before = this.withId(record.id);
    if (before !== undefined) {
      const old = fullName(before.owner, before.name);
      if (this.#idByName.get(old) === record.id) this.#idByName.delete(old);
    }
    this.#idByName.set(fullName(record.owner, record.name), record.id);
    if (record.origin !== undefined) this.#idByOrigin.set(record.origin, record.id);
  }
}

const joined = (logins: readonly string[], more: Iterable<string>): readonly string[] => [
  ...new Set([...logins, ...[...more].map((login) => login.toLowerCase())]),
];

const fullName = (owner: string, name: string): string => `${owner}/${name}`.toLowerCase();
