import { type Collection, type StateDriver, StateDrivers, type Transaction } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { AuthorMapping, SourceAuthor } from '@gantry/lib-source';
import { type AuthorRecord, authorCollection } from './records.js';

/** The authors of all imports, numbered from 1 without gaps within each import. Numbers are never reassigned. */
@injectable()
export class ImportAuthors {
  readonly #records: Collection<AuthorRecord>;

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.#records = states.get().collection(authorCollection);
  }

  /** The authors of an import with a number greater than `since`, in order. */
  of(importId: number, since = 0): readonly AuthorRecord[] {
    const found: AuthorRecord[] = [];
    for (let id = since + 1; ; id++) {
      const author = this.#records.get(keyOf(importId, id));
      if (author === undefined) return found;
      found.push(author);
    }
  }

  in(transaction: Transaction, importId: number, id: number): AuthorRecord | undefined {
    return transaction.get(this.#records, keyOf(importId, id));
  }

  put(transaction: Transaction, author: AuthorRecord): void {
    transaction.put(this.#records, keyOf(author.importId, author.id), author);
  }

  /** Adds the authors that are not known yet; known ones are unchanged. @returns how many there are. */
  add(transaction: Transaction, importId: number, found: readonly SourceAuthor[]): number {
    const known = this.of(importId);
    const identities = new Set(known.map(identity));
    let last = known.length;
    for (const author of found) {
      if (identities.has(identity(author))) continue;
      last += 1;
      const { remoteId, remoteName, email, name } = author;
      this.put(transaction, { id: last, importId, remoteId, remoteName, email, name });
    }
    return last;
  }

  delete(transaction: Transaction, importId: number): void {
    for (const { id } of this.of(importId)) transaction.delete(this.#records, keyOf(importId, id));
  }
}

/** The authors whose name or address differs from the source's. */
export const mappingsOf = (authors: readonly AuthorRecord[]): readonly AuthorMapping[] =>
  authors
    .filter(({ remoteId, remoteName, email, name }) => email !== remoteId || name !== remoteName)
    .map(({ remoteId, remoteName, email, name }) => ({ remoteId, remoteName, email, name }));

const identity = ({ remoteId, remoteName }: Pick<AuthorRecord, 'remoteId' | 'remoteName'>): string =>
  `${remoteId}\n${remoteName}`;

const keyOf = (importId: number, id: number): string => `${importId}/${id}`;
