import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, sendJson } from '@gantry/core/http';
import { personJson } from './account-json.js';
import type { Account } from './accounts.js';
import { HostedApiService } from './hosted-api-service.js';
import type { HostedRouter } from './hosted-router.js';
import { isoSecond } from './iso-moment.js';

/** `GET /user`: the user of a token; clients request it to check a token. */
@injectable()
export class UserRoutes {
  constructor(
    @inject(HostedApiService) private readonly api: HostedApiService,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('hosted-api', { scopes: [] }, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.get('/user', (ctx, { account }) => this.#get(ctx, account));
  }

  #get(ctx: Context, account: Account): void {
    sendJson(ctx, { ...personJson(account, this.api.baseUrl(ctx)), created_at: isoSecond(account.createdAt) });
  }
}
