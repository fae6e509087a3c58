import type { ServerResponse } from 'node:http';
import { inject, injectable } from '@gantry/core/driver';
import type { Context } from '@gantry/core/http';
import type { Account } from './accounts.js';
import { HostedError } from './hosted-error.js';
import { AddressLimiter, type RateLimiter, UserLimiter, type Verdict } from './rate-limiter.js';
import { type Scope, Tokens } from './tokens.js';

/** The authenticated user of a request, and the scopes of the token. */
export interface Caller {
  readonly account: Account;
  readonly scopes: readonly Scope[];
}

/** The access rules of a route. */
export interface Access {
  /** The token needs one of these; an empty list admits every token. */
  readonly scopes: readonly Scope[];
  /** False exempts the route from the rate limit. */
  readonly counts?: boolean;
  /** Responds with 422 instead of 429 to a client that keeps exceeding the limit. */
  readonly spamIsInvalid?: boolean;
  /** Also accepts the token as the password of Basic authentication, as git sends it. */
  readonly basic?: boolean;
  /** Runs before authentication: throws if the route is not served at all, and may set headers. */
  readonly precondition?: (response: ServerResponse) => void;
}

/** Authenticates and authorizes requests, and applies the rate limits. */
@injectable()
export class Gate {
  constructor(
    @inject(Tokens) private readonly tokens: Tokens,
    @inject(UserLimiter) private readonly users: RateLimiter,
    @inject(AddressLimiter) private readonly addresses: RateLimiter,
  ) {}

  /** @throws HostedError 401 without a valid token, 403 without the scope, 403, 429 or 422 beyond the limits. */
  admit<P>(ctx: Context<P>, access: Access): Caller {
    access.precondition?.(ctx.res);
    const { authorization } = ctx.req.headers;
    const secret = (access.basic === true ? passwordOf(authorization) : undefined) ?? bearerOf(authorization);
    const found = secret === undefined ? undefined : this.tokens.find(secret);
    if (found === undefined) {
      // Git sends no credentials before the first 401, so such a request does not count as a failed attempt.
      const isChallenge = access.basic === true && authorization === undefined;
      const address = `address ${ctx.req.socket.remoteAddress ?? 'local'}`;
      if (!isChallenge) this.#count(ctx, this.addresses, address, access);
      ctx.res.setHeader('WWW-Authenticate', access.basic === true ? 'Basic realm="Gantry"' : 'Bearer');
      throw new HostedError(401, secret === undefined ? 'Requires authentication' : 'Bad credentials');
    }
    const { account, token } = found;
    ctx.res.setHeader('X-OAuth-Scopes', token.scopes.join(', '));
    ctx.res.setHeader('X-Accepted-OAuth-Scopes', access.scopes.join(', '));
    this.#count(ctx, this.users, String(account.id), access);
    if (access.scopes.length > 0 && !access.scopes.some((scope) => token.scopes.includes(scope))) {
      throw new HostedError(403, `Resource not accessible: the token needs the scope ${access.scopes.join(' or ')}`);
    }
    return { account, scopes: token.scopes };
  }

  /** Counts the request and reports the limits in headers; a 304 response is refunded. */
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

/** The token of `Bearer TOKEN`, or of `token TOKEN`, the form of older clients. */
function bearerOf(header: string | undefined): string | undefined {
  return /^\s*(?:bearer|token)\s+(\S+)\s*$/i.exec(header ?? '')?.[1] ?? (header === undefined ? undefined : '');
}

/** The password of `Basic …`; the user name is ignored, the token identifies the user. */
function passwordOf(header: string | undefined): string | undefined {
  const encoded = /^\s*basic\s+(\S+)\s*$/i.exec(header ?? '')?.[1];
  return (
    encoded &&
    Buffer.from(encoded, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, '')
  );
}
