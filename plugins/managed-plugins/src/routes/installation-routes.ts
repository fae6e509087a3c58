import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, queryOf, type Router, readOptionalJson, sendJson, statuses } from '@gantry/core/http';
import { decodeRegistryAuth, EngineApi } from '@gantry/engine-api/service';
import type { RegistryTarget } from '@gantry/registry/service';
import { PullPlugin } from '../pull-plugin.js';
import { UpgradePlugin } from '../upgrade-plugin.js';
import { toPrivileges, UpgradeBody } from '../wire.js';

/** Spec: pull and upgrade of plugins, from registries. */
@injectable()
export class InstallationRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(PullPlugin) private readonly pullPlugin: PullPlugin,
    @inject(UpgradePlugin) private readonly upgradePlugin: UpgradePlugin,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('managed-plugins', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.post('/plugins/pull', statuses.onlyServerError, (ctx) => this.#pull(ctx));
    router.post('/plugins/*name/upgrade', statuses.unavailableIsServerError, (ctx) => this.#upgrade(ctx));
  }

  async #pull(ctx: Context): Promise<void> {
    sendJson(ctx, await this.pullPlugin.pull(targetOf(ctx, 'name'), { signal: ctx.state.signal }));
  }

  async #upgrade(ctx: Context<{ readonly name: string }>): Promise<void> {
    const granted = await readOptionalJson(ctx, UpgradeBody);
    await this.upgradePlugin.upgrade(ctx.params.name, targetOf(ctx, 'remote'), {
      ...(granted !== undefined && { granted: toPrivileges(granted) }),
      signal: ctx.state.signal,
    });
    ctx.status = 204;
  }
}

/** @param key of the query, with the plugin's reference. */
function targetOf<P>(ctx: Context<P>, key: 'name' | 'remote'): RegistryTarget {
  const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
  return { reference: queryOf(ctx).string(key) ?? '', ...(credentials !== undefined && { credentials }) };
}
