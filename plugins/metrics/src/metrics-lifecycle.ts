import { type DriverLifecycle, inject, injectable, Lifetime, type Measurement } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { measureProcess } from './measure-process.js';
import { MetricsRoutes } from './metrics-routes.js';
import { operations } from './operations.js';
import { OwnListener } from './own-listener.js';
import { RequestMetrics } from './request-metrics.js';

/** Counts from the start, and answers scrapes when every package has started. */
@injectable()
export class MetricsLifecycle implements DriverLifecycle {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(RequestMetrics) private readonly requests: RequestMetrics,
    @inject(MetricsRoutes) private readonly routes: MetricsRoutes,
    @inject(OwnListener) private readonly listener: OwnListener,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.use('audit', (ctx, next) => this.requests.record(ctx, next)));
    this.lifetime.add(this.api.routes('metrics', (router) => this.routes.declare(router), operations));
  }

  async ready(): Promise<void> {
    await this.listener.start();
  }

  async drain(signal: AbortSignal): Promise<void> {
    await this.listener.stop(signal);
  }

  measure(): Promise<readonly Measurement[]> {
    return measureProcess();
  }
}
