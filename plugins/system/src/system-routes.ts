import { ClusterInfo } from '@gantry/cluster/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { queryOf, type Router, sendJson } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { GetDiskUsage } from './get-disk-usage.js';
import { GetInfo } from './get-info.js';
import { GetVersion } from './get-version.js';
import { operations } from './operations.js';

/** Spec: System and other. */
@injectable()
export class SystemRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ClusterInfo.token) private readonly cluster: ClusterInfo,
    @inject(GetVersion) private readonly version: GetVersion,
    @inject(GetInfo) private readonly info: GetInfo,
    @inject(GetDiskUsage) private readonly diskUsage: GetDiskUsage,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('system', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/_ping', (ctx) => {
      ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
      ctx.res.setHeader('Cache-Control', 'no-cache, no-store, must-revalidate');
      ctx.res.setHeader('Pragma', 'no-cache');
      // The classic builder.
      ctx.res.setHeader('Builder-Version', '1');
      ctx.res.setHeader('Swarm', this.cluster.headline);
      if (ctx.method === 'HEAD') {
        // Clients that negotiate the version read the headers only.
        ctx.length = 0;
        return;
      }
      ctx.body = 'OK';
    });
    router.get('/system/df', async (ctx) => sendJson(ctx, await this.diskUsage.get(queryOf(ctx).all('type'))));
    router.get('/version', (ctx) => sendJson(ctx, this.version.get()));
    router.get('/info', async (ctx) => {
      sendJson(ctx, await this.info.get({ kernelMemory: !ctx.state.speaks('no-kernel-memory') }));
    });
  }
}
