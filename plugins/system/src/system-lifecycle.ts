import { ClusterInfo } from '@gantry/cluster/service';
import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import type { SystemConfig } from './config.js';
import { PublishReload } from './publish-reload.js';
import { SystemRoutes } from './system-routes.js';
import { SystemSettings } from './system-settings.js';

/** Adds the routes, and applies a reloaded configuration. */
@injectable()
export class SystemLifecycle implements DriverLifecycle<SystemConfig> {
  constructor(
    @inject(SystemRoutes) private readonly routes: SystemRoutes,
    @inject(PublishReload) private readonly publishReload: PublishReload,
    @inject(ClusterInfo.token) private readonly cluster: ClusterInfo,
    @inject(SystemSettings) private readonly settings: SystemSettings,
  ) {}

  async start(): Promise<void> {
    this.cluster.setEngineLabels(this.settings.current.labels);
    this.routes.start();
  }

  async reconfigure(config: SystemConfig): Promise<void> {
    this.settings.current = config;
    this.cluster.setEngineLabels(config.labels);
  }

  reloaded(): void {
    this.publishReload.publish();
  }
}
