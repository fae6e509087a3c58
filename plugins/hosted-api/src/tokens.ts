import { createHash, randomBytes } from 'node:crypto';
import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { type Account, Accounts } from './accounts.js';
import { parseRecord } from './parse-record.js';

/**
 * The scopes of a token. `notifications` and `repo` allow the notification endpoints; `ingest` allows a program of the
 * operator's to publish activity of other systems.
 */
export const scopes = ['notifications', 'repo', 'ingest'] as const;
export type Scope = (typeof scopes)[number];

/** A stored token, without its secret. */
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

/** 240 random bits, with a prefix that secret scanners recognize. */
const generate = (): string => `ght_${randomBytes(30).toString('base64url')}`;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Personal access tokens, stored by the hash of their secret, so that a leaked store grants no access. */
@injectable()
export class Tokens {
  readonly #records: Collection<Token>;
  #last = 0;

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(Accounts) private readonly accounts: Accounts,
  ) {
    this.#records = states.get().collection<Token>({
      name: 'hosted-tokens',
      version: 1,
      parse: (value) =>
        parseRecord<Token>(value, { id: 'number', accountId: 'number', scopes: 'object', createdAt: 'number' }),
    });
    for (const [, { id }] of this.#records.entries()) this.#last = Math.max(this.#last, id);
  }

  /** Creates a token, and its account if absent. Durable when it resolves; the secret cannot be retrieved later. */
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

  /** Returns the token and account of a secret; undefined when it is unknown, revoked or expired. */
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
