import path from 'node:path';
import { Config, inject, injectable, Lifetime, Logger, PackageDirectories } from '@gantry/core/driver';
import { type Endpoint, EngineServer, type Surface } from '@gantry/core/http';
import type { HostedApiConfig } from './config.js';
import { Endpoints } from './hosts.js';
import { HostedSurface, OperatorSurface } from './surfaces.js';

/** The listeners of both surfaces. */
@injectable()
export class HostedServers {
  readonly #servers: EngineServer[] = [];
  #operatorServer: EngineServer | undefined;

  constructor(
    @inject(HostedSurface) private readonly surface: HostedSurface,
    @inject(OperatorSurface) private readonly operator: OperatorSurface,
    @inject(Endpoints) private readonly endpoints: Endpoints,
    @inject(Config) private readonly config: HostedApiConfig,
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  get addresses(): readonly string[] {
    return this.#servers.map((server) => server.address);
  }

  get operatorSocket(): string {
    return this.config.operatorSocket ?? path.join(this.directories.state, 'operator.sock');
  }

  async start(): Promise<void> {
    const socket: Endpoint = { kind: 'unix', path: this.operatorSocket, mode: 0o600 };
    this.#operatorServer = await this.#listen(this.operator, socket);
    for (const endpoint of this.endpoints) this.#servers.push(await this.#listen(this.surface, endpoint));
  }

  /** Refuses new connections and finishes open requests, until the signal aborts. */
  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#operatorServer, ...this.#servers].map((server) => server?.stop(signal)));
  }

  async #listen(surface: Surface, endpoint: Endpoint): Promise<EngineServer> {
    const { maxConnections } = this.config;
    const server = await EngineServer.start(surface, endpoint, { maxHeaderSize: 64 * 1024, maxConnections });
    this.lifetime.add(() => server.stop(AbortSignal.abort()));
    this.log.info({ event: 'hosted-api.listening', surface: surface.name, address: server.address }, 'listening');
    return server;
  }
}
