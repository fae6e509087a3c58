import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Context } from '../exchange/context.js';
import type { Output } from '../exchange/exchange.js';

/** A connection that was taken from HTTP. */
export interface RawConnection {
  /**
   * Raw bytes both ways. The client's end of input is the end of the readable side and leaves the writable side
   * open. Who takes no input calls `resume`, so that a client that leaves is noticed. Closed when the handler
   * returns.
   */
  readonly socket: Duplex;
  /** True when the client asked for it and was answered 101; false for the older form, answered 200. */
  readonly upgraded: boolean;
}

/** How long a client may keep its side open once it has all output, in milliseconds. */
const linger = 500;

/** Ends a raw connection when its handler is done. */
export class RawOutput implements Output {
  readonly begun = true;
  readonly #socket: Duplex;

  private constructor(socket: Duplex) {
    this.#socket = socket;
  }

  static begin<P>(ctx: Context<P>, socket: Duplex, options: { readonly upgraded: boolean }): RawConnection {
    const { state } = ctx;
    ctx.respond = false;
    socket.on('error', () => state.abort());
    socket.on('close', () => state.abort());
    state.output = new RawOutput(socket);
    state.endless();
    return { socket, upgraded: options.upgraded };
  }

  /**
   * Ends the output, and closes once the client has closed its side, or after a moment. Unread input is
   * dropped: closing on unread bytes would reset the connection.
   */
  async finish(): Promise<void> {
    const socket = this.#socket;
    socket.resume();
    if (!socket.writableEnded) socket.end();
    if (!socket.writableFinished && !socket.destroyed) await either(socket, ['finish', 'close']);
    if (!socket.readableEnded && !socket.destroyed) await either(socket, ['end', 'close'], linger);
    socket.destroy();
  }

  fail(): void {
    void this.finish();
  }
}

/** Waits for one of the events, or for the time to pass. */
async function either(socket: Duplex, events: readonly string[], milliseconds?: number): Promise<void> {
  const stop = new AbortController();
  const timer = milliseconds === undefined ? undefined : setTimeout(() => stop.abort(), milliseconds);
  try {
    await Promise.race(events.map((event) => once(socket, event, { signal: stop.signal })));
  } catch {
    // An error event or the time: either way the wait is over.
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}
