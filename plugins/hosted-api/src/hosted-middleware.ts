import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { checkApiVersion } from './api-version.js';
import { BaseUrl } from './base-url.js';
import { LoadMeter } from './load-meter.js';
import { HostedSurface } from './surfaces.js';

/** Measures the load, strips path prefixes and checks the API version of every request. */
@injectable()
export class HostedMiddleware {
  constructor(
    @inject(HostedSurface) private readonly surface: HostedSurface,
    @inject(LoadMeter) private readonly meter: LoadMeter,
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.lifetime.add(
      this.surface.use('observe', (ctx, next) => {
        this.meter.count();
        return this.baseUrl.strip(ctx, next);
      }),
    );
    this.lifetime.add(
      this.surface.use('authorize', async (ctx, next) => {
        checkApiVersion(ctx);
        await next();
      }),
    );
  }
}
