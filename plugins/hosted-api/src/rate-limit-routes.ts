import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { sendJson } from '@gantry/core/http';
import { HostedApiService } from './hosted-api-service.js';
import type { HostedRouter } from './hosted-router.js';
import { type RateLimiter, UserLimiter } from './rate-limiter.js';

/** `GET /rate_limit`: does not count as a request. */
@injectable()
export class RateLimitRoutes {
  constructor(
    @inject(HostedApiService) private readonly api: HostedApiService,
    @inject(UserLimiter) private readonly limiter: RateLimiter,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    const access = { scopes: [], counts: false };
    this.lifetime.add(this.api.routes('hosted-api', access, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.get('/rate_limit', (ctx, { account }) => {
      const core = { ...this.limiter.status(String(account.id)), resource: 'core' };
      sendJson(ctx, { resources: { core }, rate: core });
    });
  }
}
