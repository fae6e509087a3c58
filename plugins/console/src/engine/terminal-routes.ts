import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { acceptWebSocket, type Context, queryOf, type Router } from '@gantry/core/http';
import { Demultiplexer, joinConnections } from '@gantry/core/streams';
import { ConsoleSurface } from '../surface.js';
import { EngineConnection } from './engine-connection.js';

const sizes = { min: 0, max: 65_535 };

/** Terminals of browsers, which know no raw connections: binary messages of a WebSocket both ways. */
@injectable()
export class TerminalRoutes {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(EngineConnection) private readonly engine: EngineConnection,
  ) {}

  start(): void {
    this.lifetime.add(this.surface.routes('console-terminals', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/terminal/exec/:id', async (ctx) => {
      const path = `/exec/${encodeURIComponent(ctx.params.id)}`;
      const query = queryOf(ctx);
      const [height, width] = [query.integer('h', sizes), query.integer('w', sizes)];
      const program = await this.engine.hijack(`${path}/start`, {
        Detach: false,
        Tty: true,
        ...(height !== undefined && width !== undefined && { ConsoleSize: [height, width] }),
      });
      await connect(ctx, program);
    });

    router.get('/terminal/attach/:id', async (ctx) => {
      const id = encodeURIComponent(ctx.params.id);
      const query = 'stream=1&stdin=1&stdout=1&stderr=1';
      const program = await this.engine.hijack(`/containers/${id}/attach?${query}`, {});
      await connect(ctx, program, { isMultiplexed: !queryOf(ctx).boolean('tty') });
    });
  }
}

/** Joins the browser to a program until either leaves. */
async function connect<P>(ctx: Context<P>, program: Duplex, { isMultiplexed = false } = {}): Promise<void> {
  const { signal } = ctx.state;
  const left = once(program, 'close').catch(() => undefined);
  let browser: Duplex;
  try {
    browser = (await acceptWebSocket(ctx, { binary: true })).socket;
  } catch (error) {
    program.destroy();
    throw error;
  }
  signal.addEventListener('abort', () => program.destroy(), { once: true });
  if (isMultiplexed) joinMultiplexed(browser, program);
  else joinConnections(browser, program);
  await left;
}

/** Without a terminal the engine says of each piece of output which stream it is of; a browser's terminal has one. */
function joinMultiplexed(browser: Duplex, program: Duplex): void {
  const output = new Demultiplexer();
  program.on('data', (bytes: Buffer) => {
    for (const { data } of output.push(bytes)) if (!browser.write(data)) program.pause();
  });
  browser.on('drain', () => program.resume());
  program.once('end', () => browser.end());
  for (const each of [browser, program]) each.on('error', () => program.destroy());
  browser.pipe(program);
}
