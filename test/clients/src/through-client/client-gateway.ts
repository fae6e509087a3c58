import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ApiError, type CallOptions, EngineClient, unixSocket } from 'gantry-client';
import { ApiOperations, type OperationCall } from './api-operations.js';
import { markHijacks } from './mark-hijacks.js';
import { passThrough } from './pass-through.js';

/** What went through a gateway. */
interface GatewayReport {
  /** Those of the document, and those that were asked for, each with its number of requests. */
  readonly operations: number;
  readonly used: Readonly<Record<string, number>>;
  /** Requests for which the document has no operation: they went past the client. */
  readonly unknownRoutes: readonly string[];
  /** What the document lacks: `ROUTE ?parameter`, `ROUTE -> status`. */
  readonly undocumented: readonly string[];
}

/**
 * Serves the API of an engine on a socket of its own, and sends every request by the client, as the operation of the OpenAPI
 * document that it is. So any suite for the API shows what the client can do.
 */
export class ClientGateway {
  readonly #clients = new Map<string | null, EngineClient>();
  readonly #used = new Map<string, number>();
  readonly #unknownRoutes = new Set<string>();
  readonly #undocumented = new Set<string>();
  readonly #http = createServer((request, response) => void this.#answer(request, response));
  readonly #sockets = createSocketServer({ allowHalfOpen: true }, (socket) => void this.#accept(socket));
  readonly #connections = new Set<Socket>();

  private constructor(
    private readonly engineSocket: string,
    private readonly operations: ApiOperations,
  ) {
    this.#http.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  /** @param engineSocket where the engine listens. @param socketPath where the gateway is to listen. */
  static async start(engineSocket: string, socketPath: string): Promise<ClientGateway> {
    const { body } = await new EngineClient(unixSocket(engineSocket)).open('GET /openapi.json');
    const gateway = new ClientGateway(engineSocket, new ApiOperations(JSON.parse(await text(body))));
    gateway.#sockets.listen(socketPath);
    await once(gateway.#sockets, 'listening');
    return gateway;
  }

  report(): GatewayReport {
    return {
      operations: this.operations.count,
      used: Object.fromEntries([...this.#used].sort()),
      unknownRoutes: [...this.#unknownRoutes].sort(),
      undocumented: [...this.#undocumented].sort(),
    };
  }

  async stop(): Promise<void> {
    const closed = once(this.#sockets, 'close');
    this.#sockets.close();
    for (const socket of this.#connections) socket.destroy();
    await closed;
  }

  async #accept(socket: Socket): Promise<void> {
    this.#connections.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#connections.delete(socket));
    await markHijacks(socket);
    if (!socket.destroyed) this.#http.emit('connection', socket);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = this.#find(request);
    if (call === undefined) return passThrough(this.engineSocket, request, response);
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    try {
      const options = { ...(await optionsOf(request, call)), signal: leaving.signal };
      const { status, headers, body } = await call.client.open(call.route, options);
      this.#note(call, status);
      response.writeHead(status, endToEnd(headers));
      response.flushHeaders();
      await pipeline(body, response);
    } catch (error) {
      if (!ApiError.is(error) || response.headersSent) response.destroy();
      else {
        this.#note(call, error.status);
        response.writeHead(error.status, { 'Content-Type': 'application/json' }).end(errorBody(error));
      }
    }
  }

  /** Also of requests that ask for raw bytes without the header `Upgrade`: they have been marked. */
  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    if (head.length > 0) socket.unshift(head);
    const call = this.#find(request);
    const isMarked = request.headers['x-marked'] !== undefined;
    try {
      if (call === undefined) throw new ApiError('page not found', 404, '');
      const body = await readBody(request, socket);
      const { 'x-marked': _, ...headers } = endToEnd(request.headers);
      const protocol = isMarked ? 'tcp' : String(request.headers.upgrade);
      const options = { path: call.path, query: queryOf(request), headers: { ...headers, Upgrade: protocol }, body };
      if ((body as { readonly Detach?: unknown } | undefined)?.Detach === true) {
        const { status } = await call.client.open(call.route, { ...options, headers });
        this.#note(call, status);
        socket.end(rawHead(status, { 'Content-Length': '0' }));
        return;
      }
      const upgraded = await call.client.upgrade(call.route, options);
      this.#note(call, 101);
      const answer = endToEnd(upgraded.headers);
      socket.write(
        isMarked
          ? rawHead(200, { ...answer, Connection: 'close' })
          : rawHead(101, { ...answer, Connection: 'Upgrade', Upgrade: protocol }),
      );
      socket.once('close', () => upgraded.socket.destroy());
      upgraded.socket.on('error', () => socket.destroy());
      socket.pipe(upgraded.socket);
      upgraded.socket.pipe(socket);
    } catch (error) {
      if (!ApiError.is(error)) return void socket.destroy();
      if (call !== undefined) this.#note(call, error.status);
      const body = errorBody(error);
      socket.end(
        rawHead(error.status, { 'Content-Type': 'application/json', 'Content-Length': `${body.length}` }) + body,
      );
    }
  }

  #find(request: IncomingMessage): (OperationCall & { readonly client: EngineClient }) | undefined {
    const { pathname } = new URL(request.url ?? '/', 'http://gantry');
    const [, version = null, path = ''] = /^(?:\/v(\d+\.\d+)(?=\/))?(\/.*)$/.exec(pathname) ?? [];
    const call = this.operations.find(request.method ?? '', path);
    if (call === undefined) {
      this.#unknownRoutes.add(`${request.method} ${path}`);
      return undefined;
    }
    for (const name of Object.keys(queryOf(request))) {
      if (!call.queryNames.includes(name)) this.#undocumented.add(`${call.route} ?${name}`);
    }
    const client = this.#clients.get(version) ?? new EngineClient(unixSocket(this.engineSocket), { version });
    this.#clients.set(version, client);
    return { ...call, client };
  }

  #note({ route, statuses }: OperationCall, status: number): void {
    this.#used.set(route, (this.#used.get(route) ?? 0) + 1);
    if (status < 400 && !statuses.includes(String(status))) this.#undocumented.add(`${route} -> ${status}`);
  }
}

async function optionsOf(request: IncomingMessage, { path }: OperationCall): Promise<CallOptions> {
  const { 'content-length': length, ...headers } = endToEnd(request.headers);
  const common = { path, query: queryOf(request) };
  const hasBody = length === undefined ? request.headers['transfer-encoding'] !== undefined : Number(length) > 0;
  if (!hasBody) return { ...common, headers };
  if (isJson(request.headers)) return { ...common, headers, body: parsed(await text(request)) };
  return {
    ...common,
    headers: { ...headers, ...(length !== undefined && { 'content-length': length }) },
    body: request,
  };
}

/** The body of a request whose connection was taken over. */
async function readBody(request: IncomingMessage, socket: Duplex): Promise<unknown> {
  let missing = Number(request.headers['content-length'] ?? 0);
  const parts: Buffer[] = [];
  while (missing > 0) {
    const part: Buffer | null = socket.read(Math.min(missing, socket.readableLength || missing));
    if (part === null) await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
    else {
      parts.push(part);
      missing -= part.length;
    }
    if (socket.destroyed) break;
  }
  return parts.length === 0 ? undefined : parsed(Buffer.concat(parts).toString());
}

/** What the client sends as JSON; what is none is sent as it is. */
function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'string' ? body : value;
  } catch {
    return body;
  }
}

const isJson = (headers: IncomingHttpHeaders): boolean => /^application\/json/i.test(headers['content-type'] ?? '');

function queryOf(request: IncomingMessage): Readonly<Record<string, readonly string[]>> {
  const { searchParams } = new URL(request.url ?? '/', 'http://gantry');
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
}

const hopByHop = /^(connection|host|keep-alive|transfer-encoding|upgrade)$/;

const endToEnd = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (hopByHop.test(name) ? [] : [[name, String(value)]])),
  );

const errorBody = ({ message }: ApiError): string => `${JSON.stringify({ message })}\n`;

const rawHead = (status: number, headers: Readonly<Record<string, string>>): string =>
  [`HTTP/1.1 ${status} Answer`, ...Object.entries(headers).map((pair) => pair.join(': ')), '', ''].join('\r\n');
