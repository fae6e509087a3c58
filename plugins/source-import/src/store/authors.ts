import type { Collection, StateDriver, Transaction } from '@gantry/core/contracts';
import type { AuthorMapping, SourceAuthor } from '@gantry/source-conversion';
import { type AuthorRecord, authorCollection } from './records.js';

/** The authors of all imports. Those of each are numbered from 1 on without a gap, and keep their numbers. */
export class Authors {
  readonly #records: Collection<AuthorRecord>;

  constructor(state: StateDriver) {
    this.#records = state.collection(authorCollection);
  }

  /** Those with a number greater than `since`, in order. */
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

  /** Takes in whom the source names; who is known keeps number, name and address. @returns how many there are. */
  learn(transaction: Transaction, importId: number, found: readonly SourceAuthor[]): number {
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

  forget(transaction: Transaction, importId: number): void {
    for (const { id } of this.of(importId)) transaction.delete(this.#records, keyOf(importId, id));
  }
}

/** What commits have to be changed for: authors who are called otherwise than in the source. */
export const mappingsOf = (authors: readonly AuthorRecord[]): readonly AuthorMapping[] =>
  authors
    .filter(({ remoteId, remoteName, email, name }) => email !== remoteId || name !== remoteName)
    .map(({ remoteId, remoteName, email, name }) => ({ remoteId, remoteName, email, name }));

const identity = ({ remoteId, remoteName }: Pick<AuthorRecord, 'remoteId' | 'remoteName'>): string =>
  `${remoteId}\n${remoteName}`;

const keyOf = (importId: number, id: number): string => `${importId}/${id}`;
