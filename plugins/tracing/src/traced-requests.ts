import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import type { Context } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { EngineTracer } from './engine-tracer.js';

/** Makes a span of each request, below that of the client when it sends one (W3C Trace Context). */
@injectable()
export class TracedRequests implements DriverLifecycle {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(EngineTracer) private readonly tracer: EngineTracer,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.use('audit', (ctx, next) => this.#trace(ctx, next)));
  }

  async #trace(ctx: Context, next: () => Promise<void>): Promise<void> {
    const { method } = ctx;
    const attributes = { 'http.request.method': method, 'url.path': ctx.path };
    const parent = propagation.extract(context.active(), ctx.req.headers);
    const span = this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    try {
      await context.with(trace.setSpan(parent, span), next);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      const { route } = ctx.state;
      if (route !== undefined) {
        span.updateName(`${route.method} ${route.path}`);
        span.setAttribute('http.route', route.path);
      }
      const status = ctx.respond === false ? ctx.res.statusCode : ctx.status;
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  }
}
