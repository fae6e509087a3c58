import { notFound } from '@gantry/core/errors';
import { type Router, sendJson } from '@gantry/core/http';
import type { Accounts } from './accounts.js';
import { isoSecond } from './iso-moment.js';
import { bodyParameters, type Parameters } from './parameters.js';
import { type Scope, scopes, type Token, type Tokens } from './tokens.js';

const day = 86_400_000;

/** What `gantry-hosted` asks for, over a socket that only the operator may open. */
export function operatorRoutes(router: Router, accounts: Accounts, tokens: Tokens): void {
  const shown = ({ id, accountId, scopes, note, createdAt, expiresAt }: Token) => ({
    id,
    user: accounts.withId(accountId)?.login ?? '',
    scopes,
    note,
    created_at: isoSecond(createdAt),
    expires_at: expiresAt === undefined ? null : isoSecond(expiresAt),
  });
  router.get('/tokens', (ctx) => sendJson(ctx, tokens.list().map(shown)));
  router.post('/tokens', async (ctx) => {
    const body = await bodyParameters(ctx, 'Token');
    const login = body.string('user');
    if (login === undefined) throw body.missing('user');
    const note = body.string('note');
    const expiresAt = expiryOf(body);
    const { token, secret } = await tokens.create({
      login,
      scopes: scopesOf(body),
      ...(note !== undefined && { note }),
      ...(expiresAt !== undefined && { expiresAt }),
    });
    sendJson(ctx, { ...shown(token), token: secret }, 201);
  });
  router.delete('/tokens/:id', async (ctx) => {
    if (!(await tokens.revoke(Number(ctx.params.id)))) throw notFound('no such token');
    ctx.status = 204;
  });
  router.get('/users', (ctx) => sendJson(ctx, accounts.list()));
  router.post('/users', async (ctx) => {
    const body = await bodyParameters(ctx, 'User');
    const login = body.string('login');
    if (login === undefined) throw body.missing('login');
    sendJson(ctx, await accounts.ensure(login), 201);
  });
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
