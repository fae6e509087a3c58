import { notFound } from '@gantry/core/errors';
import { sendJson } from '@gantry/core/http';
import { bodyParameters, type HostedRouter, type Parameters, queryParameters } from '@gantry/hosted-api/service';
import { authorJson } from '../wire/import-json.js';
import { importOf, type RouteParts } from './route-parts.js';

const path = '/repos/:owner/:repo/import/authors';
const resource = 'CommitAuthor';

/** Spec: authors of an import. */
export function authorRoutes(router: HostedRouter, parts: RouteParts): void {
  const { api, imports, store } = parts;
  router.get(path, (ctx, { account }) => {
    const { repository, record } = importOf(ctx, parts, account);
    const query = queryParameters(ctx, resource);
    const since = query.string('since') ?? '0';
    if (!/^\d{1,15}$/.test(since)) throw query.invalid('since', 'the number of an author');
    const baseUrl = api.baseUrl(ctx);
    const authors = store.authors.of(record.id, Number(since));
    sendJson(
      ctx,
      authors.map((author) => authorJson(author, repository, baseUrl)),
    );
  });
  router.patch(`${path}/:author`, async (ctx, { account }) => {
    const { repository, record } = importOf(ctx, parts, account);
    const body = (await bodyParameters(ctx, resource)).only('email', 'name');
    const [email, name] = [readEmail(body), readName(body)];
    const changes = { ...(email !== undefined && { email }), ...(name !== undefined && { name }) };
    const number = /^[1-9]\d{0,14}$/.test(ctx.params.author) ? Number(ctx.params.author) : 0;
    const author = await imports.mapAuthor(record, number, changes);
    if (author === undefined) throw notFound('no such author');
    sendJson(ctx, authorJson(author, repository, api.baseUrl(ctx)));
  });
}

/** Neither may hold what ends it in a commit. */
const forbidden = /[\p{Cc}<>]/u;
const longest = 250;

function readEmail(body: Parameters): string | undefined {
  const email = body.string('email');
  if (email === undefined) return undefined;
  if (/^[^\s@]+@[^\s@]+$/.test(email) && !forbidden.test(email) && email.length <= longest) return email;
  throw body.invalid('email', 'an address such as hubot@example.com');
}

function readName(body: Parameters): string | undefined {
  const name = body.string('name');
  if (name === undefined) return undefined;
  if (name.trim() !== '' && !forbidden.test(name) && name.length <= longest) return name.trim();
  throw body.invalid('name', `a name of 1 to ${longest} characters without < and >`);
}
