import { Config, type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { DriverAdapters } from './adapters/driver-adapters.js';
import { AuthorizationMiddleware } from './authorization/authorization-middleware.js';
import type { ExternalPluginsConfig } from './config.js';
import { PluginDiscovery } from './discovery/plugin-discovery.js';

/** Starts discovery, after the API asks authorization plugins about every request. */
@injectable()
export class ExternalPluginsLifecycle implements DriverLifecycle {
  constructor(
    @inject(Config) private readonly config: ExternalPluginsConfig,
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(AuthorizationMiddleware) private readonly authorization: AuthorizationMiddleware,
    @inject(PluginDiscovery) private readonly discovery: PluginDiscovery,
    @inject(DriverAdapters) private readonly adapters: DriverAdapters,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    const { authorization: guards, startPatienceSeconds } = this.config;
    if (guards.length > 0) {
      this.lifetime.add(this.api.use('authorize', (ctx, next) => this.authorization.handle(ctx, next), { guards }));
    }
    this.lifetime.add(() => this.discovery.stop());
    this.lifetime.add(this.adapters.onMissing((name) => this.discovery.find(name)));
    await this.discovery.start(startPatienceSeconds * 1000);
  }
}
