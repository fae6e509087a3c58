import { createHash, randomBytes } from 'node:crypto';
import { Clock, Config, inject, injectable } from '@gantry/core/driver';
import type { ConsoleConfig } from '../config.js';

/** A browser that is signed in. */
export interface Session {
  readonly user: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** How long a printed token can be used, in milliseconds. */
const tokenLifetime = 10 * 60_000;

/**
 * Who is signed in. Tokens and the ids of sessions are kept as digests, and in memory only: a restart of the daemon signs
 * everyone out.
 */
@injectable()
export class Sessions {
  /** When they expire, by the digest of the token. */
  readonly #tokens = new Map<string, number>();
  readonly #sessions = new Map<string, Session>();

  constructor(
    @inject(Config) private readonly config: ConsoleConfig,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /** A new token, which signs in one browser within ten minutes. */
  issueToken(): string {
    this.#forgetExpired();
    const token = newSecret();
    this.#tokens.set(digestOf(token), this.#now() + tokenLifetime);
    return token;
  }

  /** Uses a token up. @returns the id of the session, which only the browser is to know; undefined for a wrong token. */
  signIn(token: string): { readonly id: string; readonly session: Session } | undefined {
    this.#forgetExpired();
    if (!this.#tokens.delete(digestOf(token))) return undefined;
    const id = newSecret();
    const session = { user: 'operator', expires: this.#now() + this.config.sessionHours * 3_600_000 };
    this.#sessions.set(digestOf(id), session);
    return { id, session };
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(digestOf(id));
    return session !== undefined && session.expires > this.#now() ? session : undefined;
  }

  signOut(id: string): void {
    this.#sessions.delete(digestOf(id));
  }

  #now(): number {
    return Number(this.clock.now() / 1_000_000n);
  }

  #forgetExpired(): void {
    const now = this.#now();
    for (const [digest, expires] of this.#tokens) if (expires <= now) this.#tokens.delete(digest);
    for (const [digest, { expires }] of this.#sessions) if (expires <= now) this.#sessions.delete(digest);
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url');

/** A look-up by digest takes no longer the more of a guess is right. */
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64');
