import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { untilAborted } from '../../concurrency/until-aborted.js';
import { unavailable } from '../../errors/engine-error.js';
import type { Admission } from '../exchange/admission.js';
import { Connection, type ExchangeOwner, listenersOf } from '../exchange/connection.js';
import type { Context } from '../exchange/context.js';
import { EngineResponse } from '../exchange/engine-response.js';
import { Exchange } from '../exchange/exchange.js';
import type { Surface } from '../surface/surface.js';
import type { Bound } from './bind.js';
import { refuse, refuseExpectation } from './client-error.js';
import { type Endpoint, type LocalEndpoint, readTls } from './endpoint.js';
import { listen } from './listen.js';
import { MemorySocket } from './memory-socket.js';
import { upgradedExchange } from './upgraded-exchange.js';

type HttpServer = Server<typeof IncomingMessage, typeof EngineResponse>;

export interface ServerLimits {
  /** How long a client may take to send the head of a request, in milliseconds. Default 60 s; 0 is without end. */
  readonly headersTimeout?: number;
  /** Most bytes of a request's head. Default 1 MiB: registry credentials travel in headers. */
  readonly maxHeaderSize?: number;
  /**
   * Most connections at a time; by default any number. One more takes the place of an idle one, the oldest first, and
   * is refused where all are in use.
   */
  readonly maxConnections?: number;
  /** Throws what a request is refused with, before any hook sees it. */
  readonly admit?: Admission;
  /** Called for each request. */
  readonly onRequest?: () => void;
}

/** For a client to say who it is, in milliseconds. */
const handshakeTimeout = 10_000;

/** The time that aborted requests have for their error responses after the deadline of `stop`, in milliseconds. */
const errorResponseTime = 250;

/**
 * Serves one surface at one endpoint. Bodies, answers and idle connections have no time limit: a wait, followed logs
 * or events may take days.
 */
export class EngineServer implements ExchangeOwner {
  readonly #surface: Surface;
  readonly #server: HttpServer;
  readonly #connections = new Map<Socket, Connection>();
  readonly #handlers = new Set<Promise<void>>();
  #bound: Bound | undefined;
  #reloadCertificates: () => Promise<void> = async () => undefined;
  #stopping = false;

  /** Those below TLS, which may not have accepted them yet. */
  readonly #sockets = new Set<Socket>();
  #isDraining = false;
  #onIdle: () => void = () => undefined;

  readonly #maxConnections: number;
  readonly #admit: Admission | undefined;
  readonly #onRequest: (() => void) | undefined;

  private constructor(surface: Surface, server: HttpServer, { admit, maxConnections, onRequest }: ServerLimits) {
    this.#onRequest = onRequest;
    this.#surface = surface;
    this.#server = server;
    this.#maxConnections = maxConnections ?? Number.POSITIVE_INFINITY;
    this.#admit = admit;
  }

  /** Where it listens, for log lines: a path, or host and port. */
  get address(): string {
    return this.#bound?.address ?? '';
  }

  /**
   * Starts to listen.
   * @throws EngineError `conflict` in one line when another daemon serves the endpoint, `invalid-argument` when it
   * cannot be meant.
   */
  static async start(
    surface: Surface,
    endpoint: Endpoint | LocalEndpoint,
    limits: ServerLimits = {},
  ): Promise<EngineServer> {
    const headersTimeout = limits.headersTimeout ?? 60_000;
    const options = {
      ServerResponse: EngineResponse,
      headersTimeout,
      requestTimeout: 0,
      keepAliveTimeout: 0,
      maxHeaderSize: limits.maxHeaderSize ?? 2 ** 20,
      connectionsCheckingInterval: Math.min(Math.max(headersTimeout / 4, 25), 10_000),
      requireHostHeader: false,
      allowHalfOpen: true,
    };
    const tls = endpoint.kind === 'tcp' ? endpoint.tls : undefined;
    const server: HttpServer = tls
      ? createSecureServer({ ...options, handshakeTimeout, ...(await readTls(tls)) })
      : createServer(options);
    // The client's end of input must not cut off answers; see Connection.
    Object.assign(server, { httpAllowHalfOpen: true });
    const engineServer = new EngineServer(surface, server, limits);
    if (tls !== undefined && server instanceof SecureServer) {
      engineServer.#reloadCertificates = async () => server.setSecureContext(await readTls(tls));
    }
    engineServer.#watch(tls ? 'secureConnection' : 'connection');
    engineServer.#bound = await listen(server, endpoint);
    const { address } = engineServer;
    server.on('error', (error) => {
      surface.log.error({ event: 'http.accept-failed', address, error }, 'a connection could not be taken');
    });
    return engineServer;
  }

  /**
   * Connects from within the process, without a socket of the system: the same limits, hooks and routes serve what is
   * asked there. @throws EngineError `unavailable` once the server stops.
   */
  connect(): Duplex {
    if (this.#stopping) throw stoppingReason();
    const [client, served] = MemorySocket.pair();
    this.#server.emit('connection', served);
    return client;
  }

  /**
   * Reads the files of TLS again, for the connections from now on. Rejects EngineError `unavailable` naming what cannot be
   * read, or with the reason for which they do not go together; the earlier ones are then kept.
   */
  reloadCertificates(): Promise<void> {
    return this.#reloadCertificates();
  }

  /** Throws `unavailable` while the server drains. */
  checkDraining(ctx: Context): void {
    if (!this.#isDraining) return;
    ctx.res.shouldKeepAlive = false;
    throw stoppingReason();
  }

  /** Throws the reason for which the limits do not admit a request. */
  admit(ctx: Context): void {
    this.#admit?.(ctx);
  }

  /**
   * Refuses new requests with `unavailable`, aborts endless ones, and all others once `timeout` aborts. Resolves when
   * they have finished or are rolled back, also those whose clients have gone, or when the signal aborts. The server
   * continues to listen until `stop`.
   */
  async drain(timeout: AbortSignal, signal: AbortSignal): Promise<void> {
    this.#isDraining = true;
    for (const exchange of this.#exchanges()) if (exchange.isEndless) exchange.abort(stoppingReason());
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (this.#isIdle) resolve();
    });
    await Promise.race([idle, untilAborted(timeout), untilAborted(signal)]);
    for (const exchange of this.#exchanges()) exchange.abort(stoppingReason());
    await Promise.race([Promise.allSettled(this.#handlers), untilAborted(signal)]);
  }

  /**
   * Stops: no new connections, idle ones end, endless requests are aborted, all others may finish until the signal
   * aborts; then they are aborted and their connections destroyed. Resolves when no connection is left.
   */
  async stop(signal: AbortSignal): Promise<void> {
    this.#stopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#bound?.release();
    for (const connection of [...this.#connections.values()]) this.#settle(connection);
    const kill = () => this.#abortAll();
    if (signal.aborted) kill();
    else signal.addEventListener('abort', kill, { once: true });
    await closed;
    // Node's server does not count those of the process.
    await Promise.all([...this.#connections.keys()].map((socket) => untilClosed(socket)));
    signal.removeEventListener('abort', kill);
  }

  /** The requests that are being served, except endless ones. */
  *pending(): Iterable<Exchange> {
    for (const exchange of this.#exchanges()) if (!exchange.isEndless) yield exchange;
  }

  handling(handler: Promise<void>): void {
    this.#handlers.add(handler);
    const ended = () => this.#handlers.delete(handler);
    handler.then(ended, ended);
  }

  endless(exchange: Exchange): void {
    if (this.#stopping || this.#isDraining) exchange.abort(stoppingReason());
  }

  ended(exchange: Exchange): void {
    if (this.#stopping) this.#settle(exchange.connection);
    if (this.#isDraining && this.#isIdle) this.#onIdle();
  }

  get #isIdle(): boolean {
    return this.#exchanges().next().done === true;
  }

  *#exchanges(): Generator<Exchange, void> {
    for (const connection of this.#connections.values()) yield* connection.exchanges;
  }

  #watch(connectionEvent: string): void {
    const server = this.#server;
    if (connectionEvent !== 'connection') {
      server.on('connection', (socket: Socket) => {
        this.#sockets.add(socket);
        socket.once('close', () => this.#sockets.delete(socket));
      });
    }
    let before: ReturnType<typeof listenersOf> = [];
    server.prependListener(connectionEvent, (socket: Socket) => {
      before = listenersOf(socket);
    });
    server.on(connectionEvent, (socket: Socket) => {
      const added = listenersOf(socket).filter(
        ([name, added]) => !before.some((old) => old[0] === name && old[1] === added),
      );
      this.#connections.set(socket, new Connection(socket, this, added));
      socket.once('close', () => this.#connections.delete(socket));
      if (this.#stopping) socket.destroy();
      else if (this.#connections.size > this.#maxConnections) this.#makeRoom(socket);
    });
    server.on('request', (request: IncomingMessage, response: EngineResponse) => {
      this.#accept(request.socket, (connection) => exchangeOf(request, response, connection));
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#accept(socket, (connection) => upgradedExchange(request, head, connection));
    });
    const refused = (error: NodeJS.ErrnoException, socket: Socket) =>
      refuse(error, socket, this.#connections.get(socket), this.#surface);
    server.on('clientError', refused);
    server.on('connect', (_request: IncomingMessage, socket: Socket) =>
      refused(new Error('CONNECT is not served'), socket),
    );
    server.on('checkExpectation', (request: IncomingMessage, response: EngineResponse) =>
      refuseExpectation(request, response, this.#surface),
    );
  }

  #accept(socket: Socket, exchange: (connection: Connection) => Exchange): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    this.#onRequest?.();
    this.#surface.accept(exchange(connection));
  }

  /** Ends the connection that has been idle since before all others, or else the new one. */
  #makeRoom(newcomer: Socket): void {
    for (const [socket, connection] of this.#connections) {
      if (socket === newcomer || !connection.isIdle) continue;
      this.#connections.delete(socket);
      socket.destroy();
      return;
    }
    // A request that it sends all the same is not served: it was answered.
    this.#connections.delete(newcomer);
    refuse(tooMany(), newcomer, undefined, this.#surface);
  }

  /** While stopping: ends a connection without requests, and aborts requests that would never end. */
  #settle(connection: Connection): void {
    if (connection.exchanges.size === 0) connection.socket.destroySoon();
    for (const exchange of connection.exchanges) {
      exchange.response.shouldKeepAlive = false;
      if (exchange.isEndless) exchange.abort(stoppingReason());
    }
  }

  #abortAll(): void {
    for (const exchange of this.#exchanges()) exchange.abort(stoppingReason());
    setTimeout(() => {
      for (const socket of [...this.#connections.keys(), ...this.#sockets]) socket.destroy();
    }, errorResponseTime);
  }
}

function exchangeOf(request: IncomingMessage, response: EngineResponse, connection: Connection): Exchange {
  const exchange = new Exchange(request, response, connection);
  connection.begin(exchange);
  response.once('close', () => {
    if (!response.writableFinished) exchange.abort();
    connection.end(exchange);
  });
  return exchange;
}

const tooMany = (): NodeJS.ErrnoException =>
  Object.assign(new Error('too many connections'), { code: 'TOO_MANY_CONNECTIONS' });

const untilClosed = (socket: Socket): Promise<void> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', () => resolve()));

const stoppingReason = () => unavailable('the engine is stopping');
