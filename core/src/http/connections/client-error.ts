import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, lastReading } from '../exchange/connection.js';
import type { Surface } from '../surface/surface.js';

const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the head of the request is too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions of the request are too large'],
  TOO_MANY_CONNECTIONS: [503, 'as many connections as there may be are in use'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the head of the request did not arrive in time'],
};

/** Answers bytes that are no request, in the surface's own words, and ends the connection. */
export function refuse(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connection: Connection | undefined,
  surface: Surface,
): void {
  const begun = [...(connection?.exchanges ?? [])].some((exchange) => exchange.response.headersSent);
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const [status, message] = refusals[error.code ?? ''] ?? [400, `malformed request: ${error.message}`];
  const body = surface.errorText({ status, message, error });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // The rest of what the client sends is read and forgotten for a moment: closing on unread bytes would reset the
  // connection, and the answer with it.
  socket.resume();
  setTimeout(() => socket.destroy(), lastReading).unref();
}

/** Answers a request that expects of the engine what it does not do; Node itself would say nothing but 417. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse, surface: Surface): void {
  const message = `Expect: "${request.headers.expect}" is not understood, only 100-continue is`;
  const body = surface.errorText({ status: 417, message, error: undefined });
  const length = Buffer.byteLength(body);
  response.shouldKeepAlive = false;
  response.writeHead(417, { 'Content-Type': 'application/json', 'Content-Length': length }).end(body);
}
