import { inject, injectable } from '@gantry/core/driver';
import type { EngineServer } from '@gantry/core/http';
import { Endpoints } from './hosts.js';
import { ListenerStarter } from './listener-starter.js';
import { OperatorEndpoint } from './operator-endpoint.js';
import type { HostedListeners } from './service.js';
import { HostedSurface, OperatorSurface } from './surfaces.js';

/** The listeners of both surfaces. */
@injectable()
export class HostedServers implements HostedListeners {
  readonly #servers: EngineServer[] = [];
  #operatorServer: EngineServer | undefined;

  constructor(
    @inject(HostedSurface) private readonly surface: HostedSurface,
    @inject(Endpoints) private readonly endpoints: Endpoints,
    @inject(OperatorSurface) private readonly operator: OperatorSurface,
    @inject(OperatorEndpoint) private readonly operatorEndpoint: OperatorEndpoint,
    @inject(ListenerStarter) private readonly starter: ListenerStarter,
  ) {}

  get addresses(): readonly string[] {
    return this.#servers.map((server) => server.address);
  }

  get operatorSocket(): string {
    return this.operatorEndpoint.path;
  }

  async start(): Promise<void> {
    this.#operatorServer = await this.starter.listen(this.operator, this.operatorEndpoint);
    for (const endpoint of this.endpoints) this.#servers.push(await this.starter.listen(this.surface, endpoint));
  }

  /** Refuses new connections and finishes open requests, until the signal aborts. */
  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#operatorServer, ...this.#servers].map((server) => server?.stop(signal)));
  }
}
