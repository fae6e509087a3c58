import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, queryOf, type Router, sendJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { DisablePlugin } from '../disable-plugin.js';
import { EnablePlugin } from '../enable-plugin.js';
import { RemovePlugin } from '../remove-plugin.js';
import { PluginStore } from '../store/plugin-store.js';
import { toExperimentalPlugin, toPlugin } from '../wire.js';
import { operations } from './operations.js';

/** Spec: the list, GET, enable, disable and DELETE of plugins. */
@injectable()
export class PluginRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(EnablePlugin) private readonly enablePlugin: EnablePlugin,
    @inject(DisablePlugin) private readonly disablePlugin: DisablePlugin,
    @inject(RemovePlugin) private readonly removePlugin: RemovePlugin,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('managed-plugins', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/plugins', (ctx) => this.#list(ctx));
    router.get('/plugins/*name/json', (ctx) => sendJson(ctx, toPlugin(this.store.get(ctx.params.name))));
    router.get('/plugins/*name', (ctx) => sendJson(ctx, toExperimentalPlugin(this.store.get(ctx.params.name))));
    router.post('/plugins/*name/enable', statuses.failedStartIsServerError, async (ctx) => {
      await this.enablePlugin.enable(ctx.params.name);
      sendEmpty(ctx);
    });
    router.post('/plugins/*name/disable', statuses.conflictIsServerError, async (ctx) => {
      await this.disablePlugin.disable(ctx.params.name, { force: queryOf(ctx).boolean('force') });
      sendEmpty(ctx);
    });
    router.delete('/plugins/*name', statuses.conflictIsServerError, async (ctx) => {
      const query = queryOf(ctx);
      await this.removePlugin.remove(ctx.params.name, { force: query.boolean('force'), data: query.boolean('data') });
      sendEmpty(ctx);
    });
  }

  #list(ctx: Context): void {
    const filters = queryOf(ctx).filters(['enabled', 'capability']);
    const enabled = filters.boolean('enabled');
    const plugins = this.store
      .list()
      .filter(
        (plugin) =>
          (enabled === undefined || plugin.enabled === enabled) &&
          filters.some('capability', (wanted) =>
            plugin.manifest.interface.types.some((type) => type.replace(/^[^.]*\./, '').split('/')[0] === wanted),
          ),
      );
    sendJson(ctx, ctx.state.speaks('plugin-settings') ? plugins.map(toPlugin) : plugins.map(toExperimentalPlugin));
  }
}

function sendEmpty<P>(ctx: Context<P>): void {
  ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  ctx.status = 200;
}
