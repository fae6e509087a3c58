import type { Socket } from 'node:net';
import type { Admission } from './admission.js';
import type { Exchange } from './exchange.js';

/** How long a client that is still sending when it is answered may take to read that, in ms. */
export const lastReading = 5000;

type Listener = (...args: unknown[]) => void;

/** What an exchange needs of its server. */
export interface ExchangeOwner {
  /** Throws while no new requests are accepted. */
  readonly checkDraining: Admission;
  /** Throws the reason for which a request is refused, before any hook sees it. */
  readonly admit: Admission;
  /** The handler of an exchange has begun; it may outlive the exchange by what it rolls back. */
  handling(handler: Promise<void>): void;
  /** An exchange became endless: it is aborted as soon as the server stops, which may be now. */
  endless(exchange: Exchange): void;
  /** An exchange ended; its connection may be closed now if the server is stopping. */
  ended(exchange: Exchange): void;
}

/** One client connection, the requests in flight on it, and the way to take it from the HTTP parser. */
export class Connection {
  readonly exchanges = new Set<Exchange>();
  #isRaw = false;
  readonly #parserListeners: readonly (readonly [event: string, listener: Listener])[];

  /** `parserListeners`: what the HTTP server put on the socket. */
  constructor(
    readonly socket: Socket,
    readonly server: ExchangeOwner,
    parserListeners: readonly (readonly [event: string, listener: Listener])[],
  ) {
    this.#parserListeners = parserListeners;
    // A client that closes its side waits for nothing more than answers that are nearly there, as Go's server has
    // it: what waits is aborted, and what can answer at once still does.
    socket.on('end', () => this.#abortAll());
    const end = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (this.#isSending && !socket.destroyed) this.#endGently();
      else end();
    };
    socket.on('close', () => {
      this.#abortAll();
      for (const exchange of this.exchanges) this.end(exchange);
    });
  }

  /** Nothing is asked on it, or only the beginning of a request has come. */
  get isIdle(): boolean {
    return this.exchanges.size === 0;
  }

  begin(exchange: Exchange): void {
    this.exchanges.add(exchange);
  }

  end(exchange: Exchange): void {
    if (this.exchanges.delete(exchange)) this.server.ended(exchange);
  }

  /**
   * Takes the socket from HTTP: what arrives from now on is raw, what is written leaves as it is. The request must
   * have been read to its end.
   */
  takeOver(exchange: Exchange): Socket {
    const { socket } = this;
    exchange.response.detachSocket(socket);
    this.#isRaw = true;
    if (exchange.upgrade === undefined) {
      for (const [event, listener] of this.#parserListeners) socket.off(event, listener);
      // The server's close listener frees the parser and, with it, unhooks it from the handle; without that the
      // parser would stay among the server's connections and take the client's input for requests.
      for (const [event, listener] of this.#parserListeners) if (event === 'close') listener.call(socket);
      // As Node leaves it on an upgrade: neither flowing, for there is no listener, nor paused on purpose.
      (socket as { readableFlowing: boolean | null }).readableFlowing = null;
    }
    socket.on('error', () => undefined);
    socket.setMaxListeners(0); // pipelines both ways add many, and take them off again
    return socket;
  }

  get #isSending(): boolean {
    return (
      !this.#isRaw && [...this.exchanges].some(({ request, upgrade }) => upgrade === undefined && !request.complete)
    );
  }

  /**
   * Ends the connection behind an answer that came before all of its request. Closed at once, the client would fail at
   * sending the rest and many would not look at what they were answered.
   */
  #endGently(): void {
    const { socket } = this;
    socket.end();
    for (const { request } of this.exchanges) request.resume();
    const late = setTimeout(() => socket.destroy(), lastReading);
    socket.once('close', () => clearTimeout(late));
  }

  #abortAll(): void {
    // The end of a raw connection's input is the handler's to read: the other direction goes on.
    if (this.#isRaw && !this.socket.destroyed) return;
    for (const exchange of this.exchanges) exchange.abort();
  }
}

/** The listeners on a socket, to find out by comparing which ones a piece of code adds. */
export function listenersOf(socket: Socket): readonly (readonly [event: string, listener: Listener])[] {
  const names = ['data', 'end', 'close', 'drain', 'error', 'timeout', 'pause', 'resume'];
  return names.flatMap((name) => socket.rawListeners(name).map((listener) => [name, listener as Listener] as const));
}
