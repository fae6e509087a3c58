import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { type Context, type Router, sendJson } from '@gantry/core/http';
import { Accounts } from './accounts.js';
import { HostedApiService } from './hosted-api-service.js';
import { isoSecond } from './iso-moment.js';
import { bodyParameters, type Parameters } from './parameters.js';
import { type Scope, scopes, type Token, Tokens } from './tokens.js';

const day = 86_400_000;

/** The endpoints of `gantry-hosted`, on a socket that only the operator may open. */
@injectable()
export class OperatorRoutes {
  constructor(
    @inject(HostedApiService) private readonly api: HostedApiService,
    @inject(Accounts) private readonly accounts: Accounts,
    @inject(Tokens) private readonly tokens: Tokens,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.lifetime.add(this.api.operatorRoutes('hosted-api', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/tokens', (ctx) => this.#listTokens(ctx));
    router.post('/tokens', (ctx) => this.#createToken(ctx));
    router.delete('/tokens/:id', (ctx) => this.#revokeToken(ctx));
    router.get('/users', (ctx) => sendJson(ctx, this.accounts.list()));
    router.post('/users', (ctx) => this.#addUser(ctx));
  }

  #listTokens(ctx: Context): void {
    const tokens = this.tokens.list().map((token) => this.#tokenJson(token));
    sendJson(ctx, tokens);
  }

  async #createToken(ctx: Context): Promise<void> {
    const body = await bodyParameters(ctx, 'Token');
    const login = body.string('user');
    if (login === undefined) throw body.missing('user');
    const note = body.string('note');
    const expiresAt = expiryOf(body);
    const { token, secret } = await this.tokens.create({
      login,
      scopes: scopesOf(body),
      ...(note !== undefined && { note }),
      ...(expiresAt !== undefined && { expiresAt }),
    });
    sendJson(ctx, { ...this.#tokenJson(token), token: secret }, 201);
  }

  async #revokeToken(ctx: Context<{ readonly id: string }>): Promise<void> {
    if (!(await this.tokens.revoke(Number(ctx.params.id)))) throw notFound('no such token');
    ctx.status = 204;
  }

  async #addUser(ctx: Context): Promise<void> {
    const body = await bodyParameters(ctx, 'User');
    const login = body.string('login');
    if (login === undefined) throw body.missing('login');
    sendJson(ctx, await this.accounts.ensure(login), 201);
  }

  #tokenJson({ id, accountId, scopes, note, createdAt, expiresAt }: Token) {
    return {
      id,
      user: this.accounts.withId(accountId)?.login ?? '',
      scopes,
      note,
      created_at: isoSecond(createdAt),
      expires_at: expiresAt === undefined ? null : isoSecond(expiresAt),
    };
  }
}

function scopesOf(body: Parameters): readonly Scope[] {
  const asked = body.value('scopes');
  if (asked === undefined) throw body.missing('scopes');
  const known = Array.isArray(asked) ? scopes.filter((scope) => asked.includes(scope)) : [];
  if (Array.isArray(asked) && known.length > 0 && known.length === new Set(asked).size) return known;
  throw body.invalid('scopes', `a list of ${scopes.join(', ')}`);
}

function expiryOf(body: Parameters): number | undefined {
  const days = body.value('expires_in_days');
  if (days === undefined) return undefined;
  if (typeof days === 'number' && days > 0 && days <= 36_500) return Date.now() + days * day;
  throw body.invalid('expires_in_days', 'a number of days');
}
