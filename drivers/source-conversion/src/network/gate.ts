import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConversionContext } from '../conversion-context.js';
import { SourceError } from '../source-error.js';
import { resolveDestination } from './destinations.js';

/**
 * A proxy for one source's tools, and their only way out over HTTP: whatever they connect to, because of the URL, of a
 * redirect or of what a server told them, is looked at here and connected to from here.
 */
export class Gate {
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly secret = randomBytes(18).toString('hex');
  #failure: SourceError | undefined;
  #onlyHost: string | undefined;

  private constructor(
    private readonly context: Pick<ConversionContext, 'allowDestination'>,
    private readonly onActivity: () => void,
  ) {
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 60_000 });
    this.#server.on('connection', (socket) => this.#hold(socket));
    this.#server.on('request', (asked: IncomingMessage, answer: ServerResponse) => void this.#forward(asked, answer));
    this.#server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#tunnel(asked, socket, head);
    });
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Listens on the loopback, for those who know the secret. `onActivity` is called for everything that comes in. */
  static async open(context: Pick<ConversionContext, 'allowDestination'>, onActivity: () => void): Promise<Gate> {
    const gate = new Gate(context, onActivity);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The user's name of the proxy; the secret is the password. */
  readonly user = 'gantry';

  /** Why a connection was not made, since the last time somebody asked. Tools only know that there was none. */
  takeFailure(): SourceError | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** From now on leads to this host alone: for tools that would give its credentials to another one. */
  confine(host: string): void {
    this.#onlyHost = host;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    const expected = Buffer.from(`Basic ${Buffer.from(`${this.user}:${this.secret}`).toString('base64')}`);
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async #connect(host: string, port: number): Promise<Socket> {
    const step = 'connecting to the source';
    try {
      if (this.#onlyHost !== undefined && host !== this.#onlyHost) {
        throw new SourceError('refused-address', `${this.#onlyHost} leads to ${host}, which gets no credentials`, step);
      }
      const address = await resolveDestination(host, port, this.context, step);
      const socket = connect({ host: address, port });
      this.#hold(socket);
      socket.setTimeout(30_000, () => socket.destroy(new Error('timed out')));
      await once(socket, 'connect').catch((cause: unknown) => {
        const words = cause instanceof Error ? cause.message : String(cause);
        throw new SourceError('unreachable', `cannot connect to ${host}:${port}: ${words}`, step, '', { cause });
      });
      socket.setTimeout(0);
      socket.on('data', this.onActivity);
      return socket;
    } catch (error) {
      if (SourceError.is(error)) this.#failure ??= error;
      throw error;
    }
  }

  async #tunnel(asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#hold(client);
    if (!this.#isKnown(asked)) {
      const asks = 'Proxy-Authenticate: Basic realm="gantry"\r\nContent-Length: 0\r\nConnection: close';
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${asks}\r\n\r\n`);
      return;
    }
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(asked.url ?? '') ?? [];
    try {
      const server = await this.#connect(host, Number(port));
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.write(head);
      await Promise.all([pipeline(client, server), pipeline(server, client)]).catch(() => undefined);
    } catch {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    }
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    asked.on('error', () => undefined);
    if (!this.#isKnown(asked)) {
      answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="gantry"' }).end();
      return;
    }
    let url: URL;
    try {
      url = new URL(asked.url ?? '');
    } catch {
      answer.writeHead(400).end();
      return;
    }
    try {
      const server = await this.#connect(url.hostname, Number(url.port || 80));
      const passed = request({
        createConnection: () => server,
        method: asked.method ?? 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { ...withoutHops(asked.headers), connection: 'close' },
        setHost: false,
      });
      const arrived = once(passed, 'response') as Promise<[IncomingMessage]>;
      const sent = pipeline(asked, passed).catch(() => undefined);
      const [came] = await arrived;
      answer.writeHead(came.statusCode ?? 502, withoutHops(came.headers));
      await pipeline(came, answer).catch(() => undefined);
      await sent;
    } catch (error) {
      const isRefused = SourceError.is(error) && error.failure === 'refused-address';
      if (!answer.headersSent) answer.writeHead(isRefused ? 403 : 502);
      answer.end();
    }
  }
}

/** Headers that mean one connection, and not the message. */
const hops = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'upgrade']);

function withoutHops(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hops.has(name)));
}
