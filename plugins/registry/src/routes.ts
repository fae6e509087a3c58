import { invalidArgument } from '@gantry/core/errors';
import { jsonStream, queryOf, type Router, readJson, sendJson } from '@gantry/core/http';
import { decodeRegistryAuth, worksWithoutDisk } from '@gantry/engine-api/service';
import { parseReference } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { login } from './login.js';
import type { Pusher } from './push/pusher.js';
import type { Endpoints } from './remote/endpoints.js';
import { search, searchFilters } from './search.js';

/** What the routes of this area call. */
export interface RegistryArea {
  readonly endpoints: Endpoints;
  readonly pusher: Pusher;
}

const loginBody = Type.Object({
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  serveraddress: Type.Optional(Type.String()),
  identitytoken: Type.Optional(Type.String()),
  registrytoken: Type.Optional(Type.String()),
  auth: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
});

/** Spec: push and search of Images, and POST /auth. */
export function registryRoutes(router: Router, { endpoints, pusher }: RegistryArea): void {
  router.post('/images/*name/push', async (ctx) => {
    const tag = queryOf(ctx).string('tag') ?? '';
    const reference = parseReference(ctx.params.name);
    if (reference.digest !== undefined) throw invalidArgument('cannot push a digest reference');
    const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
    const stream = jsonStream(ctx);
    await pusher.push(
      {
        reference: tag === '' ? reference : { ...parseReference(`${reference.repository}:${tag}`) },
        ...(credentials !== undefined && { credentials }),
        progress: (item) => void stream.write(item),
      },
      ctx.state.signal,
    );
  });

  router.get('/images/search', async (ctx) => {
    const query = queryOf(ctx);
    const results = await search(
      endpoints,
      {
        term: query.string('term') ?? '',
        limit: query.integer('limit'),
        filters: query.filters(searchFilters),
        credentials: decodeRegistryAuth(ctx.get('X-Registry-Auth')),
      },
      ctx.state.signal,
    );
    sendJson(ctx, results);
  });

  router.post('/auth', worksWithoutDisk, async (ctx) => {
    const body = await readJson(ctx, loginBody);
    const credentials = decodeRegistryAuth(Buffer.from(JSON.stringify(body)).toString('base64'));
    const token = await login(endpoints, { server: body.serveraddress ?? '', credentials }, ctx.state.signal);
    sendJson(ctx, { Status: 'Login Succeeded', IdentityToken: token ?? '' });
  });
}
