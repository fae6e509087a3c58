import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type SourceContext, SourceError } from '@gantry/core/contracts';
import { resolveDestination } from './resolve-destination.js';

/**
 * An HTTP proxy for the programs of one call, and their only way to the network over HTTP: every address they connect
 * to, from the URL, a redirect or a server's response, is checked here and connected to from here.
 */
export class FilteringProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly secret = randomBytes(18).toString('hex');
  #failure: SourceError | undefined;
  #onlyHost: string | undefined;

  private constructor(
    private readonly context: Pick<SourceContext, 'allowDestination'>,
    private readonly onActivity: () => void,
  ) {
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 60_000 });
    this.#server.on('connection', (socket) => this.#track(socket));
    this.#server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void this.#forward(request, response),
    );
    this.#server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#tunnel(request, socket, head);
    });
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Listens on the loopback; clients authenticate with the secret. `onActivity` is called for all data received. */
  static async open(context: Pick<SourceContext, 'allowDestination'>, onActivity: () => void): Promise<FilteringProxy> {
    const proxy = new FilteringProxy(context, onActivity);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.#server.on('error', () => undefined); // of one connection that could not be accepted: the program sees it
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The user name for the proxy; the secret is its password. */
  readonly user = 'gantry';

  /** Returns why a connection was refused or failed, and forgets it. Programs only report that it failed. */
  takeFailure(): SourceError | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Allows connections to this host only: for programs that would send its credentials to others. */
  restrictTo(host: string): void {
    this.#onlyHost = host;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #track(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  #isAuthorized({ headers }: IncomingMessage): boolean {
    const expected = Buffer.from(`Basic ${Buffer.from(`${this.user}:${this.secret}`).toString('base64')}`);
    const sent = Buffer.from(headers['proxy-authorization'] ?? '');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  }

  async #connect(host: string, port: number): Promise<Socket> {
    const step = 'connecting to the source';
    try {
      if (this.#onlyHost !== undefined && host !== this.#onlyHost) {
        throw new SourceError(
          'refused-address',
          `${this.#onlyHost} leads to ${host}, which must not get the credentials`,
          step,
        );
      }
      const address = await resolveDestination(host, port, this.context, step);
      const socket = connect({ host: address, port });
      this.#track(socket);
      socket.setTimeout(30_000, () => socket.destroy(new Error('timed out')));
      await once(socket, 'connect').catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new SourceError('unreachable', `cannot connect to ${host}:${port}: ${reason}`, step, '', { cause });
      });
      socket.setTimeout(0);
      socket.on('data', this.onActivity);
      return socket;
    } catch (error) {
      if (SourceError.is(error)) this.#failure ??= error;
      throw error;
    }
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#track(client);
    if (!this.#isAuthorized(request)) {
      const headers = 'Proxy-Authenticate: Basic realm="gantry"\r\nContent-Length: 0\r\nConnection: close';
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${headers}\r\n\r\n`);
      return;
    }
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(request.url ?? '') ?? [];
    try {
      const server = await this.#connect(host, Number(port));
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.write(head);
      await Promise.all([pipeline(client, server), pipeline(server, client)]).catch(() => undefined);
    } catch {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    }
  }

  async #forward(received: IncomingMessage, response: ServerResponse): Promise<void> {
    received.on('error', () => undefined);
    if (!this.#isAuthorized(received)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="gantry"' }).end();
      return;
    }
    let url: URL;
    try {
      url = new URL(received.url ?? '');
    } catch {
      response.writeHead(400).end();
      return;
    }
    try {
      const server = await this.#connect(url.hostname, Number(url.port || 80));
      const forwarded = request({
        createConnection: () => server,
        method: received.method ?? 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { ...withoutHopByHopHeaders(received.headers), connection: 'close' },
        setHost: false,
      });
      const responded = once(forwarded, 'response') as Promise<[IncomingMessage]>;
      const sent = pipeline(received, forwarded).catch(() => undefined);
      const [answer] = await responded;
      response.writeHead(answer.statusCode ?? 502, withoutHopByHopHeaders(answer.headers));
      await pipeline(answer, response).catch(() => undefined);
      await sent;
    } catch (error) {
      const isRefused = SourceError.is(error) && error.failure === 'refused-address';
      if (!response.headersSent) response.writeHead(isRefused ? 403 : 502);
      response.end();
    }
  }
}

/** Headers of one connection, which a proxy does not forward. */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'upgrade']);

function withoutHopByHopHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}
