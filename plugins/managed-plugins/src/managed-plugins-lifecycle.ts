import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import {
  Config,
  type DriverLifecycle,
  type DriverSet,
  inject,
  injectable,
  Lifetime,
  type Orphan,
} from '@gantry/core/driver';
import type { ManagedPluginsConfig } from './config.js';
import { PluginData } from './files/plugin-data.js';
import { RestorePlugins } from './restore-plugins.js';
import { PluginRoutes } from './routes.js';
import { RunningPlugins } from './supervision/running-plugins.js';

/** Watches the plugins' tasks, and resumes enabled plugins at start. */
@injectable()
export class ManagedPluginsLifecycle implements DriverLifecycle {
  constructor(
    @inject(Config) private readonly config: ManagedPluginsConfig,
    @inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>,
    @inject(RunningPlugins) private readonly running: RunningPlugins,
    @inject(RestorePlugins) private readonly restorePlugins: RestorePlugins,
    @inject(PluginData) private readonly data: PluginData,
    @inject(PluginRoutes) private readonly routes: PluginRoutes,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  findOrphans(): Promise<readonly Orphan[]> {
    return this.data.findOrphans();
  }

  async start(): Promise<void> {
    this.lifetime.add(() => this.running.release());
    this.lifetime.add(this.runtimes.get().onExit(({ exitCode, id }) => this.running.onExit(id, exitCode)));
    this.routes.start();
    await this.restorePlugins.restore(this.config.startPatienceSeconds * 1000);
  }
}
