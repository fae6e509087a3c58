import { injectable } from '@gantry/core/driver';
import type { Context } from '@gantry/core/http';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** In seconds: from an inspect to a pull. */
const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

/** Requests of the engine's API, by the pattern of their route, of which there are as many as the API has. */
@injectable()
export class RequestMetrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: 'gantry_http_requests_total',
    help: 'Requests that have ended, by the pattern of their route and their status; "aborted" by the client',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [this.registry],
  });
  readonly #durations = new Histogram({
    name: 'gantry_http_request_duration_seconds',
    help: 'Time that requests took, except those that end with an event elsewhere, such as followed logs',
    labelNames: ['method', 'route'] as const,
    buckets,
    registers: [this.registry],
  });
  readonly #running = new Gauge({
    name: 'gantry_http_requests_running',
    help: 'Requests that are being served',
    registers: [this.registry],
  });

  async record(ctx: Context, next: () => Promise<void>): Promise<void> {
    const began = performance.now();
    this.#running.inc();
    try {
      await next();
    } finally {
      this.#running.dec();
      const { aborted, isEndless, route } = ctx.state;
      // What leads nowhere is one route, whatever clients make up.
      const { method, path } = route ?? { method: 'none', path: 'none' };
      const status = ctx.respond === false ? ctx.res.statusCode : ctx.status;
      this.#requests.inc({ method, route: path, status: aborted === undefined ? status : 'aborted' });
      if (!isEndless) this.#durations.observe({ method, route: path }, (performance.now() - began) / 1000);
    }
  }
}
