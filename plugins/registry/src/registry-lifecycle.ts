import { inject, injectable, Lifetime } from '@gantry/core/driver';
import type { DriverLifecycle, Measurement } from '@gantry/core/plugin';
import { ImageExchange } from '@gantry/images/service';
import type { RegistryConfig } from './config.js';
import { Downloads } from './downloads/downloads.js';
import { Puller } from './pull/puller.js';
import { RegistrySettings } from './registry-settings.js';
import { RegistryRoutes } from './routes.js';

/** Becomes the source of images, adds the routes, and takes over a reloaded configuration. */
@injectable()
export class RegistryLifecycle implements DriverLifecycle<RegistryConfig> {
  constructor(
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(Downloads) private readonly downloads: Downloads,
    @inject(Puller) private readonly puller: Puller,
    @inject(RegistrySettings) private readonly settings: RegistrySettings,
    @inject(RegistryRoutes) private readonly routes: RegistryRoutes,
  ) {}

  async start(): Promise<void> {
    await this.downloads.collect();
    this.lifetime.add(() => this.downloads.close());
    this.lifetime.add(this.exchange.setSource(this.puller));
    this.routes.start();
  }

  measure(): readonly Measurement[] {
    return this.puller.measure();
  }

  async reconfigure(config: RegistryConfig): Promise<void> {
    this.settings.replace(config);
  }
}
