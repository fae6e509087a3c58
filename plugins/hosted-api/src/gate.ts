import type { ServerResponse } from 'node:http';
import type { Context } from '@gantry/core/http';
import type { Account } from './accounts.js';
import { HostedError } from './hosted-error.js';
import type { RateLimiter, Verdict } from './rate-limit.js';
import type { Scope, Tokens } from './tokens.js';

/** Who asks, and what for the token may be used. */
export interface Caller {
  readonly account: Account;
  readonly scopes: readonly Scope[];
}

/** Who may use a route. */
export interface Access {
  /** One of these is needed; none means that every token will do. */
  readonly scopes: readonly Scope[];
  /** False where asking costs nothing, such as for the limits themselves. */
  readonly counts?: boolean;
  /** Answers a client that goes on after many refusals with 422 instead of 429. */
  readonly spamIsInvalid?: boolean;
  /** Takes the token as the password of Basic authentication, too, as programs such as git send it. */
  readonly basic?: boolean;
  /** Asked before anything else, the token included: throws for what is not served at all, and may set headers. */
  readonly precondition?: (response: ServerResponse) => void;
}

interface GateOptions {
  readonly tokens: Tokens;
  readonly users: RateLimiter;
  /** By address, for requests without a valid token. */
  readonly strangers: RateLimiter;
}

/** Stands in front of every route: tokens, scopes and rate limits. */
export class Gate {
  constructor(private readonly options: GateOptions) {}

  /** @throws HostedError 401 without a valid token, 403 without the scope, 403, 429 or 422 beyond the limits. */
  admit<P>(ctx: Context<P>, access: Access): Caller {
    access.precondition?.(ctx.res);
    const { authorization } = ctx.req.headers;
    const secret = (access.basic === true ? passwordOf(authorization) : undefined) ?? bearerOf(authorization);
    const found = secret === undefined ? undefined : this.options.tokens.find(secret);
    if (found === undefined) {
      // Programs such as git send nothing before they are asked, every time: that is no attempt.
      const isAsking = access.basic === true && authorization === undefined;
      const stranger = `address ${ctx.req.socket.remoteAddress ?? 'local'}`;
      if (!isAsking) this.#count(ctx, this.options.strangers, stranger, access);
      ctx.res.setHeader('WWW-Authenticate', access.basic === true ? 'Basic realm="Gantry"' : 'Bearer');
      throw new HostedError(401, secret === undefined ? 'Requires authentication' : 'Bad credentials');
    }
    const { account, token } = found;
    ctx.res.setHeader('X-OAuth-Scopes', token.scopes.join(', '));
    ctx.res.setHeader('X-Accepted-OAuth-Scopes', access.scopes.join(', '));
    this.#count(ctx, this.options.users, String(account.id), access);
    if (access.scopes.length > 0 && !access.scopes.some((scope) => token.scopes.includes(scope))) {
      throw new HostedError(403, `Resource not accessible: the token needs the scope ${access.scopes.join(' or ')}`);
    }
    return { account, scopes: token.scopes };
  }

  /** Every answer tells the limits; one that brings nothing new does not count. */
  #count<P>(ctx: Context<P>, limiter: RateLimiter, client: string, access: Access): void {
    const verdict: Verdict = access.counts === false ? { outcome: 'admitted' } : limiter.take(client);
    ctx.state.onHead((response) => {
      if (verdict.outcome === 'admitted' && access.counts !== false && response.statusCode === 304) {
        limiter.refund(client);
      }
      const { limit, remaining, used, reset } = limiter.status(client);
      response.setHeader('X-RateLimit-Limit', limit);
      response.setHeader('X-RateLimit-Remaining', remaining);
      response.setHeader('X-RateLimit-Used', used);
      response.setHeader('X-RateLimit-Reset', reset);
      response.setHeader('X-RateLimit-Resource', 'core');
    });
    if (verdict.outcome === 'admitted') return;
    ctx.res.setHeader('Retry-After', verdict.retryAfterSeconds);
    if (verdict.outcome === 'exhausted') throw new HostedError(403, 'API rate limit exceeded');
    if (verdict.outcome === 'spam' && access.spamIsInvalid) {
      throw new HostedError(422, 'The endpoint has been spammed: wait for the time in Retry-After');
    }
    throw new HostedError(429, 'You have exceeded a secondary rate limit: wait for the time in Retry-After');
  }
}

/** The token of `Bearer TOKEN`, or of `token TOKEN` as older clients write it. */
function bearerOf(header: string | undefined): string | undefined {
  return /^\s*(?:bearer|token)\s+(\S+)\s*$/i.exec(header ?? '')?.[1] ?? (header === undefined ? undefined : '');
}

/** The password of `Basic …`; whose it is, the token says. */
function passwordOf(header: string | undefined): string | undefined {
  const encoded = /^\s*basic\s+(\S+)\s*$/i.exec(header ?? '')?.[1];
  return (
    encoded &&
    Buffer.from(encoded, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, '')
  );
}
