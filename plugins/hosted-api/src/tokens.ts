import { createHash, randomBytes } from 'node:crypto';
import type { Collection, StateDriver } from '@gantry/core/contracts';
import type { Account, Accounts } from './accounts.js';
import { parseRecord } from './parse-record.js';

/**
 * What a token may be used for. `notifications` and `repo` reach the notification endpoints; `ingest` lets a program
 * of the operator's tell what happened elsewhere.
 */
export const scopes = ['notifications', 'repo', 'ingest'] as const;
export type Scope = (typeof scopes)[number];

/** A token as it is kept: the token itself is known to its owner only. */
export interface Token {
  readonly id: number;
  readonly accountId: number;
  readonly scopes: readonly Scope[];
  readonly note: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt?: number;
}

interface NewToken {
  readonly login: string;
  readonly scopes: readonly Scope[];
  readonly note?: string;
  readonly expiresAt?: number;
}

/** 240 bits behind a prefix by which scanners for leaked secrets know it. */
const generate = (): string => `ght_${randomBytes(30).toString('base64url')}`;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Personal access tokens, by their hashes. A stolen store lets nobody in. */
export class Tokens {
  readonly #records: Collection<Token>;
  #last = 0;

  constructor(
    state: StateDriver,
    private readonly accounts: Accounts,
  ) {
    this.#records = state.collection<Token>({
      name: 'hosted-tokens',
      version: 1,
      parse: (value) =>
        parseRecord<Token>(value, { id: 'number', accountId: 'number', scopes: 'object', createdAt: 'number' }),
    });
    for (const [, { id }] of this.#records.entries()) this.#last = Math.max(this.#last, id);
  }

  /** Makes a token, and the account when absent. Durable when it resolves; nobody learns the secret a second time. */
  async create({ login, note = '', expiresAt, scopes: granted }: NewToken): Promise<{ token: Token; secret: string }> {
    const account = await this.accounts.ensure(login);
    this.#last += 1;
    const secret = generate();
    const token: Token = {
      id: this.#last,
      accountId: account.id,
      scopes: granted,
      note,
      createdAt: Date.now(),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    await this.#records.put(hashOf(secret), token);
    return { token, secret };
  }

  /** Whom the secret stands for; undefined when it is unknown, revoked or expired. */
  find(secret: string): { readonly token: Token; readonly account: Account } | undefined {
    const token = this.#records.get(hashOf(secret));
    if (token === undefined || (token.expiresAt !== undefined && token.expiresAt <= Date.now())) return undefined;
    const account = this.accounts.withId(token.accountId);
    return account && { token, account };
  }

  list(): readonly Token[] {
    return [...this.#records.entries()].map(([, token]) => token).sort((a, b) => a.id - b.id);
  }

  /** @returns false when there is no such token. */
  async revoke(id: number): Promise<boolean> {
    const found = [...this.#records.entries()].find(([, token]) => token.id === id);
    if (found === undefined) return false;
    await this.#records.delete(found[0]);
    return true;
  }
}
