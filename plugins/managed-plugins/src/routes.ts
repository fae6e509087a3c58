import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, queryOf, type Router, sendJson, statuses } from '@gantry/core/http';
import { decodeRegistryAuth, EngineApi } from '@gantry/engine-api/service';
import { DisablePlugin } from './disable-plugin.js';
import { EnablePlugin } from './enable-plugin.js';
import { PullPlugin } from './pull-plugin.js';
import { RemovePlugin } from './remove-plugin.js';
import { PluginStore } from './store/plugin-store.js';
import { toPlugin } from './wire.js';

/** Spec: Plugins. */
@injectable()
export class PluginRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(PullPlugin) private readonly pullPlugin: PullPlugin,
    @inject(EnablePlugin) private readonly enablePlugin: EnablePlugin,
    @inject(DisablePlugin) private readonly disablePlugin: DisablePlugin,
    @inject(RemovePlugin) private readonly removePlugin: RemovePlugin,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('managed-plugins', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/plugins', (ctx) => sendJson(ctx, this.store.list().map(toPlugin)));
    router.post('/plugins/pull', statuses.onlyServerError, (ctx) => this.#pull(ctx));
    router.get('/plugins/*name', (ctx) => sendJson(ctx, toPlugin(this.store.get(ctx.params.name))));
    router.post('/plugins/*name/enable', statuses.onlyNotFound, async (ctx) => {
      await this.enablePlugin.enable(ctx.params.name);
      sendEmpty(ctx);
    });
    router.post('/plugins/*name/disable', statuses.conflictIsServerError, async (ctx) => {
      await this.disablePlugin.disable(ctx.params.name, { force: queryOf(ctx).boolean('force') });
      sendEmpty(ctx);
    });
    router.delete('/plugins/*name', statuses.conflictIsServerError, async (ctx) => {
      await this.removePlugin.remove(ctx.params.name, { force: queryOf(ctx).boolean('force') });
      sendEmpty(ctx);
    });
  }

  async #pull(ctx: Context): Promise<void> {
    const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
    const target = {
      reference: queryOf(ctx).string('name') ?? '',
      ...(credentials !== undefined && { credentials }),
    };
    sendJson(ctx, await this.pullPlugin.pull(target, { signal: ctx.state.signal }));
  }
}

function sendEmpty<P>(ctx: Context<P>): void {
  ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  ctx.status = 200;
}
