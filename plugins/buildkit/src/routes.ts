import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { type Context, hijack, type Router } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { ExportCaches } from './cache/export-caches.js';
import { Front } from './front.js';
import { operations } from './operations.js';
import { SessionBuildRoute } from './session-build-route.js';
import { SessionConnections } from './sessions/session-connections.js';

const protocol = 'h2c';

/** API 1.31: POST /session, and POST /grpc. */
@injectable()
export class BuildKitRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Front) private readonly front: Front,
    @inject(SessionConnections) private readonly connections: SessionConnections,
    @inject(ExportCaches) private readonly caches: ExportCaches,
    @inject(SessionBuildRoute) private readonly sessionBuild: SessionBuildRoute,
  ) {}

  async start(): Promise<void> {
    await this.caches.clear();
    this.lifetime.add(this.sessionBuild.start());
    this.lifetime.add(this.api.routes('buildkit', (router) => this.declare(router), operations));
    this.lifetime.add(
      this.api.use('observe', async (ctx, next) => {
        await next();
        if (ctx.path !== '/_ping' || ctx.res.headersSent || !speaksGrpc(ctx.get('User-Agent'))) return;
        ctx.res.setHeader('Builder-Version', '2');
      }),
    );
  }

  declare(router: Router): void {
    router.post('/grpc', (ctx) => this.#serve(ctx));
    router.post('/session', (ctx) => this.#openSession(ctx));
  }

  async #serve(ctx: Context): Promise<void> {
    checkUpgrade(ctx);
    await this.front.prepare();
    const { socket } = await hijack(ctx, { contentType: 'application/grpc', protocol });
    await this.front.serve(socket, { judge: (effective) => ctx.state.review(effective) });
  }

  async #openSession(ctx: Context): Promise<void> {
    checkUpgrade(ctx);
    const facts = this.connections.check(ctx.req.headers);
    await this.front.prepare();
    const { socket } = await hijack(ctx, { contentType: 'application/grpc', protocol });
    await this.front.openSession(socket, facts);
  }
}

function checkUpgrade(ctx: Context): void {
  if (ctx.state.upgrade?.protocol === protocol) return;
  throw invalidArgument(`the request must ask for an upgrade to ${protocol}`);
}

/**
 * Whether a client that reads the builder's version would use `POST /grpc`. The docker CLI before 23 would send
 * `POST /build?version=2` instead, which is not served: it stays with the classic builder.
 */
const speaksGrpc = (userAgent: string): boolean => Number(/^Docker-Client\/(\d+)\./.exec(userAgent)?.[1] ?? 23) >= 23;
