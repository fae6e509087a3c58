import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { bodyStream, type Context, jsonStream, queryOf, type Router } from '@gantry/core/http';
import { decodeRegistryAuth, EngineApi } from '@gantry/engine-api/service';
import { CreatePlugin } from '../create-plugin.js';
import { PushPlugin } from '../push-plugin.js';
import { operations } from './operations.js';

/** API 1.25: creation and push of plugins. */
@injectable()
export class AuthoringRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(CreatePlugin) private readonly createPlugin: CreatePlugin,
    @inject(PushPlugin) private readonly pushPlugin: PushPlugin,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('managed-plugins', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/plugins/create', async (ctx) => {
      await this.createPlugin.create(queryOf(ctx).string('name') ?? '', bodyStream(ctx), { signal: ctx.state.signal });
      ctx.status = 204;
    });
    router.post('/plugins/*name/push', (ctx) => this.#push(ctx));
  }

  async #push(ctx: Context<{ readonly name: string }>): Promise<void> {
    const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
    const stream = jsonStream(ctx);
    await this.pushPlugin.push(ctx.params.name, {
      ...(credentials !== undefined && { credentials }),
      progress: (item) => void stream.write(item),
      signal: ctx.state.signal,
    });
  }
}
