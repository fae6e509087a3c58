import { version } from '@gantry/core';
import { Config, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { EngineServer, parseWebHost, Surface } from '@gantry/core/http';
import type { MetricsConfig } from './config.js';
import { MetricsRoutes } from './metrics-routes.js';

/** Answers scrapes at an address that has nothing else of the engine. */
@injectable()
export class OwnListener {
  #server: EngineServer | undefined;

  constructor(
    @inject(Config) private readonly config: MetricsConfig,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
    @inject(MetricsRoutes) private readonly routes: MetricsRoutes,
  ) {}

  /** Does nothing unless the operator has chosen an address. */
  async start(): Promise<void> {
    const { host, insecureTcp } = this.config;
    if (host === undefined) return;
    const endpoint = parseWebHost(host, { setting: 'host', insecureTcp });
    const surface = new Surface({ name: 'metrics', log: this.log, headers: { Server: `Gantry/${version}` } });
    surface.routes('metrics', (router) => this.routes.declare(router));
    const own = endpoint.kind === 'unix' ? { ...endpoint, mode: 0o600 } : endpoint;
    const server = await EngineServer.start(surface, own);
    this.lifetime.add(() => server.stop(AbortSignal.abort()));
    this.#server = server;
    this.log.info({ event: 'metrics.listening', address: server.address }, 'listening for scrapes');
  }

  async stop(signal: AbortSignal): Promise<void> {
    await this.#server?.stop(signal);
  }
}
