import { inject, injectable } from '@gantry/core/driver';
import { type Router, sendJson } from '@gantry/core/http';
import { Exposition } from './exposition.js';
import { Health } from './health.js';

/** The same paths on the engine's API and on the listener of the package's own. */
@injectable()
export class MetricsRoutes {
  constructor(
    @inject(Exposition) private readonly exposition: Exposition,
    @inject(Health) private readonly health: Health,
  ) {}

  declare(router: Router): void {
    router.get('/metrics', async (ctx) => {
      ctx.body = await this.exposition.text();
      ctx.set('Content-Type', this.exposition.contentType);
      ctx.set('Cache-Control', 'no-store');
    });

    router.get('/health/live', (ctx) => {
      ctx.set('Cache-Control', 'no-store');
      sendJson(ctx, { status: 'live' });
    });

    router.get('/health/ready', async (ctx) => {
      const report = await this.health.check();
      ctx.set('Cache-Control', 'no-store');
      sendJson(ctx, report, report.status === 'ready' ? 200 : 503);
    });
  }
}
