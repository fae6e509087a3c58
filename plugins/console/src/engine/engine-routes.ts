import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { bodyStream, type Context, endToEndHeaders, openBody, type Router } from '@gantry/core/http';
import { writeAll } from '@gantry/core/streams';
import { ConsoleSurface } from '../surface.js';
import { EngineConnection } from './engine-connection.js';

/** Below it is the engine's API. */
const prefix = '/api';

/** Headers that concern the browser and the console, not the engine. */
const ownHeaders = new Set(['cookie', 'origin', 'referer', 'server']);

/** Passes requests on to the engine, and its answers back, as they come. */
@injectable()
export class EngineRoutes {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(EngineConnection) private readonly engine: EngineConnection,
  ) {}

  start(): void {
    this.lifetime.add(this.surface.routes('console-engine', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    const pass = <P>(ctx: Context<P>) => this.#pass(ctx);
    router.head(`${prefix}/*path`, pass);
    router.get(`${prefix}/*path`, pass);
    router.post(`${prefix}/*path`, pass);
    router.put(`${prefix}/*path`, pass);
    router.delete(`${prefix}/*path`, pass);
  }

  async #pass<P>(ctx: Context<P>): Promise<void> {
    const { method, state } = ctx;
    const hasBody = method === 'POST' || method === 'PUT';
    const answer = await this.engine.ask(
      {
        method,
        path: (ctx.req.url ?? '').slice(prefix.length),
        headers: forwarded(ctx.req.headers),
        signal: state.signal,
      },
      hasBody ? bodyStream(ctx) : undefined,
    );
    const { 'content-type': type, ...headers } = forwarded(answer.headers);
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) ctx.set(name, String(value));
    const status = answer.statusCode ?? 500;
    if (method === 'HEAD' || status === 204 || status === 304) {
      answer.resume();
      if (type !== undefined) ctx.set('Content-Type', String(type));
      ctx.status = status;
      return;
    }
    // Without a length it may be one that follows something for days.
    if (answer.headers['content-length'] === undefined) state.endless();
    const output = openBody(ctx, { status, contentType: String(type ?? 'application/octet-stream') });
    await writeAll(answer, output, state.signal);
  }
}

const forwarded = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(endToEndHeaders(headers)).filter(([name]) => !ownHeaders.has(name)));
