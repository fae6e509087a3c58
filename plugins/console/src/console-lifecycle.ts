import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineServer } from '@gantry/core/http';
import { ConsoleEndpoint } from './endpoint.js';
import { AboutRoutes } from './engine/about-routes.js';
import { EngineConnection } from './engine/engine-connection.js';
import { EngineRoutes } from './engine/engine-routes.js';
import { StreamRoutes } from './engine/stream-routes.js';
import { TerminalRoutes } from './engine/terminal-routes.js';
import { PageRoutes } from './page-routes.js';
import { Gate } from './sign-in/gate.js';
import { SessionRoutes } from './sign-in/session-routes.js';
import { Sessions } from './sign-in/sessions.js';
import { ConsoleSurface } from './surface.js';

/** Declares the routes. */
@injectable()
export class ConsoleRoutes implements DriverLifecycle {
  constructor(
    @inject(PageRoutes) private readonly pages: PageRoutes,
    @inject(SessionRoutes) private readonly sessions: SessionRoutes,
    @inject(EngineRoutes) private readonly engine: EngineRoutes,
    @inject(StreamRoutes) private readonly streams: StreamRoutes,
    @inject(TerminalRoutes) private readonly terminals: TerminalRoutes,
    @inject(AboutRoutes) private readonly about: AboutRoutes,
  ) {}

  async start(): Promise<void> {
    await this.pages.start();
    this.sessions.start();
    this.engine.start();
    this.streams.start();
    this.terminals.start();
    this.about.start();
  }
}

/** Accepts browsers when every package has started, and prints tokens for the operator. */
@injectable()
export class ConsoleListener implements DriverLifecycle {
  readonly commands = { console: () => this.#invite() };
  #server: EngineServer | undefined;

  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(ConsoleEndpoint) private readonly endpoint: ConsoleEndpoint,
    @inject(EngineConnection) private readonly engine: EngineConnection,
    @inject(Gate) private readonly gate: Gate,
    @inject(Sessions) private readonly sessions: Sessions,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async ready(): Promise<void> {
    await this.engine.start();
    const server = await EngineServer.start(this.surface, this.endpoint, { admit: (ctx) => this.gate.admit(ctx) });
    this.lifetime.add(() => server.stop(AbortSignal.abort()));
    this.surface.log.info({ event: 'console.listening', address: server.address }, 'the console listens');
    this.#server = server;
  }

  async drain(signal: AbortSignal): Promise<void> {
    await this.#server?.stop(signal);
  }

  async *#invite(): AsyncGenerator<string> {
    yield `console:  ${this.#address()}`;
    yield `token:    ${this.sessions.issueToken()}`;
    yield 'The token signs in one browser, within ten minutes.';
  }

  #address(): string {
    const { endpoint } = this;
    const address = this.#server?.address ?? '';
    if (endpoint.kind === 'unix') return `behind the proxy of ${address}`;
    return `${endpoint.tls === undefined ? 'http' : 'https'}://${address}/`;
  }
}
