import { Config, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { type Endpoint, EngineServer, type Surface } from '@gantry/core/http';
import type { HostedApiConfig } from './config.js';

/** Starts a server at an endpoint; the end of the package closes it. */
@injectable()
export class ListenerStarter {
  constructor(
    @inject(Config) private readonly config: HostedApiConfig,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async listen(surface: Surface, endpoint: Endpoint): Promise<EngineServer> {
    const { maxConnections } = this.config;
    const server = await EngineServer.start(surface, endpoint, { maxHeaderSize: 64 * 1024, maxConnections });
    this.lifetime.add(() => server.stop(AbortSignal.abort()));
    this.log.info({ event: 'hosted-api.listening', surface: surface.name, address: server.address }, 'listening');
    return server;
  }
}
