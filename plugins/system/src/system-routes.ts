import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Router, sendJson } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { GetInfo } from './get-info.js';
import { GetVersion } from './get-version.js';

/** Spec: System and other. */
@injectable()
export class SystemRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(GetVersion) private readonly version: GetVersion,
    @inject(GetInfo) private readonly info: GetInfo,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('system', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/_ping', (ctx) => {
      ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
      ctx.res.setHeader('Cache-Control', 'no-cache, no-store, must-revalidate');
      ctx.body = 'OK';
    });
    router.get('/version', (ctx) => sendJson(ctx, this.version.get()));
    router.get('/info', async (ctx) => {
      sendJson(ctx, await this.info.get({ kernelMemory: !ctx.state.speaks('no-kernel-memory') }));
    });
  }
}
