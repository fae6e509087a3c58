import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineServer } from '@gantry/core/http';
import { ConsoleEndpoint } from './endpoint.js';
import { Gate } from './sign-in/gate.js';
import { ConsoleSurface } from './surface.js';

/** Where browsers connect to. */
@injectable()
export class ConsoleServer {
  #server: EngineServer | undefined;

  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(ConsoleEndpoint) private readonly endpoint: ConsoleEndpoint,
    @inject(Gate) private readonly gate: Gate,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    const server = await EngineServer.start(this.surface, this.endpoint, { admit: (ctx) => this.gate.admit(ctx) });
    this.lifetime.add(() => server.stop(AbortSignal.abort()));
    this.surface.log.info({ event: 'console.listening', address: server.address }, 'the console listens');
    this.#server = server;
  }

  async stop(signal: AbortSignal): Promise<void> {
    await this.#server?.stop(signal);
  }

  /** `host:port`, or the path of the socket. Empty before the start. */
  get address(): string {
    return this.#server?.address ?? '';
  }

  /** What a browser opens; undefined where only the operator's proxy knows. */
  get url(): string | undefined {
    const { endpoint } = this;
    if (endpoint.kind === 'unix') return undefined;
    return `${endpoint.tls === undefined ? 'http' : 'https'}://${this.address}/`;
  }
}
