import { inject, injectable, Logger } from '@gantry/core/driver';
import { DriverAdapters } from './adapters/driver-adapters.js';
import { AuthorizationPlugins } from './authorization/authorization-plugins.js';
import type { ExternalPlugin, ExternalPlugins, Membership } from './service.js';

/** Adds plugins to the driver sets and to the authorization plugins. */
@injectable()
export class ExternalPluginsService implements ExternalPlugins {
  constructor(
    @inject(DriverAdapters) private readonly adapters: DriverAdapters,
    @inject(AuthorizationPlugins) private readonly authorizations: AuthorizationPlugins,
    @inject(Logger) private readonly log: Logger,
  ) {}

  add(plugin: ExternalPlugin): Membership {
    const adapters = plugin.protocols.flatMap((protocol) => this.adapters.adapt(plugin, protocol) ?? []);
    const releases: (() => void)[] = [];
    const leave = (): void => {
      for (const release of releases.splice(0).reverse()) release();
    };
    try {
      for (const adapter of adapters) releases.push(adapter.join());
    } catch (error) {
      leave();
      throw error;
    }
    if (plugin.protocols.includes('authz')) releases.push(this.authorizations.add(plugin));
    const isRequired = this.authorizations.isRequired(plugin);
    const facts = { event: 'plugin.joined', external: plugin.name, implements: plugin.protocols };
    this.log.info(facts, 'plugin joined');
    return {
      get inUse() {
        const uses = adapters.flatMap(({ driver }) => driver.uses);
        if (isRequired) uses.push('the authorization of requests');
        return uses.length === 0 ? undefined : uses.join(', ');
      },
      loadCapabilities: async () => {
        await Promise.all(adapters.map(({ driver }) => driver.loadCapabilities?.()));
      },
      leave,
    };
  }
}
