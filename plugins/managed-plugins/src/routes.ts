import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, queryOf, type Router, readOptionalJson, sendJson, statuses } from '@gantry/core/http';
import { decodeRegistryAuth, EngineApi } from '@gantry/engine-api/service';
import type { RegistryTarget } from '@gantry/registry/service';
import { DisablePlugin } from './disable-plugin.js';
import { EnablePlugin } from './enable-plugin.js';
import { PullPlugin } from './pull-plugin.js';
import { RemovePlugin } from './remove-plugin.js';
import { PluginStore } from './store/plugin-store.js';
import { UpgradePlugin } from './upgrade-plugin.js';
import { toPlugin, toPrivileges, UpgradeBody } from './wire.js';

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
    @inject(UpgradePlugin) private readonly upgradePlugin: UpgradePlugin,
    @inject(RemovePlugin) private readonly removePlugin: RemovePlugin,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('managed-plugins', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/plugins', (ctx) => sendJson(ctx, this.store.list().map(toPlugin)));
    router.post('/plugins/pull', statuses.onlyServerError, (ctx) => this.#pull(ctx));
    router.get('/plugins/*name', (ctx) => sendJson(ctx, toPlugin(this.store.get(ctx.params.name))));
    router.post('/plugins/*name/enable', statuses.failedStartIsServerError, async (ctx) => {
      await this.enablePlugin.enable(ctx.params.name);
      sendEmpty(ctx);
    });
    router.post('/plugins/*name/disable', statuses.conflictIsServerError, async (ctx) => {
      await this.disablePlugin.disable(ctx.params.name, { force: queryOf(ctx).boolean('force') });
      sendEmpty(ctx);
    });
    router.post('/plugins/*name/upgrade', statuses.unavailableIsServerError, async (ctx) => {
      const granted = await readOptionalJson(ctx, UpgradeBody);
      const { signal } = ctx.state;
      await this.upgradePlugin.upgrade(ctx.params.name, targetOf(ctx, 'remote'), {
        ...(granted !== undefined && { granted: toPrivileges(granted) }),
        signal,
      });
      ctx.status = 204;
    });
    router.delete('/plugins/*name', statuses.conflictIsServerError, async (ctx) => {
      const query = queryOf(ctx);
      await this.removePlugin.remove(ctx.params.name, { force: query.boolean('force'), data: query.boolean('data') });
      sendEmpty(ctx);
    });
  }

  async #pull(ctx: Context): Promise<void> {
    sendJson(ctx, await this.pullPlugin.pull(targetOf(ctx, 'name'), { signal: ctx.state.signal }));
  }
}

function sendEmpty<P>(ctx: Context<P>): void {
  ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  ctx.status = 200;
}

/** @param key of the query: what to bring. */
function targetOf<P>(ctx: Context<P>, key: 'name' | 'remote'): RegistryTarget {
  const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
  return { reference: queryOf(ctx).string(key) ?? '', ...(credentials !== undefined && { credentials }) };
}
