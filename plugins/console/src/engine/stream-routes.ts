import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { acceptWebSocket, type Context, type Router } from '@gantry/core/http';
import { ConsoleSurface } from '../surface.js';
import { EngineConnection } from './engine-connection.js';
import { messageIn } from './message-in.js';

/** Below it are the answers of the engine's API that go on for long. */
const prefix = '/stream';

/** Messages that a browser may have before it: one that is slower than a log must not have to keep all of it. */
const ahead = 32;

/**
 * Events, logs and statistics, as messages of a WebSocket: a browser opens six connections to one address for the requests
 * of all its tabs, and one tab more than that would wait for ever. WebSockets are not counted.
 *
 * The first message is JSON, `{ status, message }`; each one after it is a piece of the body. The browser answers every
 * message with one byte when it is done with it.
 */
@injectable()
export class StreamRoutes {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(EngineConnection) private readonly engine: EngineConnection,
  ) {}

  start(): void {
    this.lifetime.add(this.surface.routes('console-streams', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get(`${prefix}/*path`, (ctx) => this.#stream(ctx));
  }

  async #stream<P>(ctx: Context<P>): Promise<void> {
    const { signal } = ctx.state;
    const path = (ctx.req.url ?? '').slice(prefix.length);
    // Before the engine answers: browsers open one WebSocket to an address at a time, and statistics take seconds.
    const { socket } = await acceptWebSocket(ctx, { binary: true });
    let answer: IncomingMessage;
    try {
      answer = await this.engine.ask({ method: 'GET', path, headers: {}, signal });
    } catch (error) {
      if (!signal.aborted) refuse(socket, 503, messageOf(error));
      return;
    }
    try {
      await send(answer, socket, signal);
    } finally {
      answer.destroy();
    }
  }
}

function refuse(browser: Duplex, status: number, message: string): void {
  browser.write(JSON.stringify({ status, message }));
  browser.resume();
}

async function send(answer: IncomingMessage, browser: Duplex, signal: AbortSignal): Promise<void> {
  const { statusCode: status = 500 } = answer;
  if (status !== 200) return refuse(browser, status, messageIn(await text(answer)));
  let unread = 0;
  let resume = () => {};
  const write = (message: Uint8Array | string): void => {
    browser.write(message);
    unread += 1;
  };
  browser.on('data', (bytes: Buffer) => {
    unread -= bytes.length;
    resume();
  });
  browser.once('close', () => resume());
  write(JSON.stringify({ status }));
  try {
    for await (const chunk of answer) {
      if (signal.aborted) return;
      write(chunk as Buffer);
      while (unread > ahead && !signal.aborted && !browser.destroyed) {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
    }
  } catch (error) {
    // An orderly close would say that the answer is complete.
    browser.destroy();
    if (!signal.aborted) throw error;
  }
}
