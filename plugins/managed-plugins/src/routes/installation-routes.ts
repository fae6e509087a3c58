import { inject, injectable, Lifetime } from '@gantry/core/driver';
import {
  type Context,
  jsonStream,
  queryOf,
  type Router,
  readJson,
  readOptionalJson,
  sendJson,
  statuses,
} from '@gantry/core/http';
import { decodeRegistryAuth, EngineApi } from '@gantry/engine-api/service';
import type { RegistryTarget } from '@gantry/registry/service';
import { PluginInstaller } from '../files/plugin-installer.js';
import { privilegesOf } from '../manifest/privileges.js';
import { PullPlugin } from '../pull-plugin.js';
import { SetPlugin } from '../set-plugin.js';
import { canonicalName } from '../store/plugin-store.js';
import { UpgradePlugin } from '../upgrade-plugin.js';
import { GrantedPrivileges, Settings, toPrivileges } from '../wire.js';
import { operations } from './operations.js';

/** Spec: pull and upgrade of plugins, from registries, and their settings. */
@injectable()
export class InstallationRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(PluginInstaller) private readonly installer: PluginInstaller,
    @inject(PullPlugin) private readonly pullPlugin: PullPlugin,
    @inject(UpgradePlugin) private readonly upgradePlugin: UpgradePlugin,
    @inject(SetPlugin) private readonly setPlugin: SetPlugin,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('managed-plugins', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/plugins/privileges', async (ctx) => {
      const { manifest } = await this.installer.resolve(targetOf(ctx, 'remote'), { signal: ctx.state.signal });
      sendJson(ctx, privilegesOf(manifest));
    });
    router.post('/plugins/pull', statuses.onlyServerError, (ctx) => this.#pull(ctx));
    router.post('/plugins/*name/set', statuses.conflictIsServerError, async (ctx) => {
      await this.setPlugin.set(ctx.params.name, await readJson(ctx, Settings));
      ctx.status = 204;
    });
    router.post('/plugins/*name/upgrade', statuses.unavailableIsServerError, (ctx) => this.#upgrade(ctx));
  }

  /** Since API 1.25 the client says what the plugin may do, and how it will be called. */
  async #pull(ctx: Context): Promise<void> {
    if (ctx.state.speaks('plugin-consent')) {
      const granted = toPrivileges((await readOptionalJson(ctx, GrantedPrivileges)) ?? []);
      const target = targetOf(ctx, 'remote');
      const name = queryOf(ctx).string('name');
      // By it clients change its settings and enable it.
      ctx.set('Engine-Plugin-Name', canonicalName(name || target.reference));
      await this.pullPlugin.pull(target, { name, granted, signal: ctx.state.signal });
      await jsonStream(ctx).write({ status: `Status: Installed plugin ${name || target.reference}` });
      return;
    }
    sendJson(ctx, await this.pullPlugin.pull(targetOf(ctx, 'name'), { signal: ctx.state.signal }));
  }

  async #upgrade(ctx: Context<{ readonly name: string }>): Promise<void> {
    const granted = await readOptionalJson(ctx, GrantedPrivileges);
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
