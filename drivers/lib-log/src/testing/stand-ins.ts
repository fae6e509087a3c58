import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import type { Certificate } from './self-signed.js';

/** A server that stands in for a log server. */
export interface StandIn {
  readonly port: number;
  close(): Promise<void>;
}

/** Datagrams as they came. */
export async function standInUdp(port = 0): Promise<StandIn & { readonly datagrams: Buffer[] }> {
  const socket = createSocket('udp4');
  const datagrams: Buffer[] = [];
  socket.on('message', (message) => datagrams.push(message));
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return {
    datagrams,
    port: socket.address().port,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

interface StreamOptions {
  readonly port?: number;
  /** A Unix socket instead of a port. */
  readonly path?: string;
  readonly certificate?: Certificate;
  /** Called with each connection; without it what comes is collected. */
  serve?(socket: Socket): void;
}

/** Everything that came over TCP, TLS or a Unix socket. */
export async function standInStream(options: StreamOptions = {}): Promise<
  StandIn & {
    /** All bytes so far. */
    bytes(): Buffer;
    /** Ends all connections. */
    drop(): void;
  }
> {
  const chunks: Buffer[] = [];
  const serve =
    options.serve ?? ((socket: Socket) => socket.on('data', (chunk) => chunks.push(Buffer.from(chunk as Uint8Array))));
  const { certificate } = options;
  const server: Server =
    certificate === undefined
      ? createServer(serve)
      : createSecureServer({ cert: certificate.cert, key: certificate.key }, serve);
  const connections = connectionsOf(server);
  if (options.path === undefined) server.listen(options.port ?? 0, '127.0.0.1');
  else server.listen(options.path);
  await once(server, 'listening');
  return { port: portOf(server), bytes: () => Buffer.concat(chunks), ...connections };
}

/** Answers requests over HTTP or HTTPS. */
export async function standInHttp(
  answer: (request: IncomingMessage, body: Buffer, response: ServerResponse) => void,
  options: { readonly port?: number; readonly certificate?: Certificate } = {},
): Promise<StandIn & { drop(): void }> {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    answer(request, Buffer.concat(chunks), response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch(() => response.destroy());
  };
  const { certificate } = options;
  const server =
    certificate === undefined
      ? createHttpServer(listener)
      : createHttpsServer({ cert: certificate.cert, key: certificate.key }, listener);
  const connections = connectionsOf(server);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return { port: portOf(server), ...connections };
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

function connectionsOf(server: Server): { drop(): void; close(): Promise<void> } {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    drop,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}
