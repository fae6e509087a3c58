import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import { Config, type DriverLifecycle, type DriverSet, inject, injectable, Lifetime } from '@gantry/core/driver';
import type { ManagedPluginsConfig } from './config.js';
import { RestorePlugins } from './restore-plugins.js';
import { RunningPlugins } from './supervision/running-plugins.js';

/** Watches the plugins' tasks, and resumes enabled plugins at start. */
@injectable()
export class ManagedPluginsLifecycle implements DriverLifecycle {
  constructor(
    @inject(Config) private readonly config: ManagedPluginsConfig,
    @inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>,
    @inject(RunningPlugins) private readonly running: RunningPlugins,
    @inject(RestorePlugins) private readonly restorePlugins: RestorePlugins,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(() => this.running.release());
    this.lifetime.add(this.runtimes.get().onExit(({ exitCode, id }) => this.running.onExit(id, exitCode)));
    await this.restorePlugins.restore(this.config.startPatienceSeconds * 1000);
  }
}
