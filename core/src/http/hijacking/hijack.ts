import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import type { Context } from '../exchange/context.js';
import { rawBody } from '../requests/body.js';
import { type RawConnection, RawOutput } from './raw-output.js';

/** The interval of probes of a client that has ended its input, in milliseconds; the first is at once. */
const probeInterval = 1000;

/** Headers that speak of a body's length or of the connection. */
const notForRaw = /^(connection|content-length|keep-alive|transfer-encoding|upgrade)$/i;

/**
 * Takes the connection of a request for a raw stream both ways. A client that asked to upgrade to `protocol`, which
 * is `tcp` unless named, is answered 101
 * with its headers repeated; any other is answered 200, and the connection carries raw bytes from there to its end.
 * What the client sent behind the request's body comes first from the socket. An unread body is skipped:
 * call `readJson` before.
 *
 * The connection is closed when the handler returns or throws, after all output has left. `ctx.state.signal` aborts
 * when the client is gone. From here on an error can no longer be answered: check everything before.
 */
export async function hijack<P>(
  ctx: Context<P>,
  options: { readonly contentType: string; readonly protocol?: string },
): Promise<RawConnection> {
  const { res, state } = ctx;
  if (state.upgrade) await rawBody(ctx);
  else if (!state.request.readableEnded) await finished(state.request.resume(), { writable: false });
  const protocol = options.protocol ?? 'tcp';
  const upgraded = state.upgrade?.protocol === protocol;
  res.setHeader('Content-Type', options.contentType);
  res.statusCode = upgraded ? 101 : 200;
  state.response.announceHead();
  const socket = state.connection.takeOver(state);
  socket.write(rawHead(res, upgraded ? protocol : undefined));
  socket.once('end', () => probe(socket));
  return RawOutput.begin(ctx, socket, { upgraded });
}

function rawHead(response: ServerResponse, protocol: string | undefined): string {
  const lines = [`HTTP/1.1 ${protocol === undefined ? '200 OK' : '101 UPGRADED'}`];
  for (const name of response.getHeaderNames()) {
    if (notForRaw.test(name)) continue;
    lines.push(`${name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}: ${response.getHeader(name)}`);
  }
  lines.push(...(protocol === undefined ? ['Connection: close'] : ['Connection: Upgrade', `Upgrade: ${protocol}`]));
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Once the input has ended, reading no longer shows whether the client is still connected, and a silent process may not
 * write for days. An empty write does on a Unix socket: it fails when the client has closed both ways, and succeeds when
 * it has only ended its input.
 */
function probe(socket: Socket): void {
  const look = () => {
    if (socket.writableLength === 0 && socket.writable) socket.write('');
  };
  look();
  const timer = setInterval(look, probeInterval);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
