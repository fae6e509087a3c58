import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { HostedMiddleware } from './hosted-middleware.js';
import { HostedServers } from './hosted-servers.js';
import { OperatorRoutes } from './operator-routes.js';
import { PageRoutes } from './page-routes.js';
import { RateLimitRoutes } from './rate-limit-routes.js';
import { UserRoutes } from './user-routes.js';

/** Declares the routes at start; accepts clients only when every package has started. */
@injectable()
export class HostedApiLifecycle implements DriverLifecycle {
  constructor(
    @inject(HostedMiddleware) private readonly middleware: HostedMiddleware,
    @inject(UserRoutes) private readonly users: UserRoutes,
    @inject(RateLimitRoutes) private readonly limits: RateLimitRoutes,
    @inject(PageRoutes) private readonly pages: PageRoutes,
    @inject(OperatorRoutes) private readonly operator: OperatorRoutes,
    @inject(HostedServers) private readonly servers: HostedServers,
  ) {}

  async start(): Promise<void> {
    this.middleware.start();
    this.users.start();
    this.limits.start();
    await this.pages.start();
    this.operator.start();
  }

  ready(): Promise<void> {
    return this.servers.start();
  }

  drain(signal: AbortSignal): Promise<void> {
    return this.servers.stop(signal);
  }
}
