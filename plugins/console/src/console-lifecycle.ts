import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { HostedApi } from '@gantry/hosted-api/service';
import { ConsoleServer } from './console-server.js';
import { AboutRoutes } from './engine/about-routes.js';
import { EngineConnection } from './engine/engine-connection.js';
import { EngineRoutes } from './engine/engine-routes.js';
import { StreamRoutes } from './engine/stream-routes.js';
import { TerminalRoutes } from './engine/terminal-routes.js';
import { PageRoutes } from './page-routes.js';
import { SessionRoutes } from './sign-in/session-routes.js';
import { Sessions } from './sign-in/sessions.js';

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
  readonly commands = { console: (args: readonly string[]) => this.#invite(args) };

  constructor(
    @inject(ConsoleServer) private readonly server: ConsoleServer,
    @inject(EngineConnection) private readonly engine: EngineConnection,
    @inject(Sessions) private readonly sessions: Sessions,
    @inject(HostedApi.token) private readonly hosted: HostedApi | undefined,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async ready(): Promise<void> {
    await this.engine.start();
    await this.server.start();
    const { hosted, server } = this;
    if (hosted === undefined || server.url === undefined) return;
    this.lifetime.add(hosted.addLink({ title: 'Engine', url: server.url }));
  }

  async drain(signal: AbortSignal): Promise<void> {
    await this.server.stop(signal);
  }

  async *#invite([unknown]: readonly string[]): AsyncGenerator<string> {
    if (unknown !== undefined) throw invalidArgument(`gantryd console: unknown argument "${unknown}"; it takes none`);
    yield `console:  ${this.server.url ?? `behind the proxy of ${this.server.address}`}`;
    yield `token:    ${this.sessions.issueToken()}`;
    yield 'The token signs in one browser, within ten minutes.';
  }
}
