import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { jsonStream, queryOf, type Router, readJson, sendJson } from '@gantry/core/http';
import { decodeRegistryAuth, EngineApi, worksWithoutDisk } from '@gantry/engine-api/service';
import { parseReference, platformParameter } from '@gantry/images/service';
import { InspectDistribution } from './inspect-distribution.js';
import { Login } from './login.js';
import { loginBody } from './login-body.js';
import { operations } from './operations.js';
import { Pusher } from './push/pusher.js';
import { SearchRepositories, searchFilters } from './search-repositories.js';

/** Spec: push and search of Images, and POST /auth. */
@injectable()
export class RegistryRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(SearchRepositories) private readonly repositories: SearchRepositories,
    @inject(Login) private readonly logins: Login,
    @inject(Pusher) private readonly pusher: Pusher,
    @inject(InspectDistribution) private readonly distribution: InspectDistribution,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('registry', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/images/*name/push', async (ctx) => {
      const tag = queryOf(ctx).string('tag') ?? '';
      const reference = parseReference(ctx.params.name);
      if (reference.digest !== undefined) throw invalidArgument('cannot push a digest reference');
      const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
      const stream = jsonStream(ctx);
      await this.pusher.push(
        {
          reference: tag === '' ? reference : { ...parseReference(`${reference.repository}:${tag}`) },
          platform: platformParameter(queryOf(ctx), 'platform'),
          ...(credentials !== undefined && { credentials }),
          progress: (item) => void stream.write(item),
        },
        ctx.state.signal,
      );
    });

    router.get('/distribution/*name/json', async (ctx) => {
      const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
      const target = { reference: ctx.params.name, ...(credentials !== undefined && { credentials }) };
      sendJson(ctx, await this.distribution.inspect(target, ctx.state.signal));
    });

    router.get('/images/search', async (ctx) => {
      const query = queryOf(ctx);
      const results = await this.repositories.search(
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
      const token = await this.logins.login({ server: body.serveraddress ?? '', credentials }, ctx.state.signal);
      sendJson(ctx, { Status: 'Login Succeeded', IdentityToken: token ?? '' });
    });
  }
}
