import { type WebSocket, WebSocketServer } from 'ws';
import { invalidArgument } from '../../errors/engine-error.js';
import type { Context } from '../exchange/context.js';
import { type RawConnection, RawOutput } from './raw-output.js';
import { WebSocketStream } from './web-socket-stream.js';

/** Most bytes of one message from a client. */
const maxPayload = 16 * 2 ** 20;

let acceptor: WebSocketServer | undefined;

function theAcceptor(): WebSocketServer {
  acceptor ??= new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  return acceptor;
}

/**
 * Answers a WebSocket handshake and gives its messages as a stream, under the rules of `hijack`. The first
 * subprotocol the client offers is echoed. What is written leaves as text messages unless `binary` is set.
 * @throws EngineError `invalid-argument` when the request is no handshake.
 */
export async function acceptWebSocket<P>(
  ctx: Context<P>,
  options: { readonly binary?: boolean } = {},
): Promise<RawConnection> {
  const { req, state } = ctx;
  const key = req.headers['sec-websocket-key'];
  if (state.upgrade?.protocol !== 'websocket' || ctx.method !== 'GET') {
    throw invalidArgument(
      'not a WebSocket handshake: the headers Upgrade: websocket and Connection: Upgrade are missing',
    );
  }
  if (req.headers['sec-websocket-version'] !== '13' || !/^[+/\dA-Za-z]{22}==$/.test(key ?? '')) {
    throw invalidArgument('not a WebSocket handshake: Sec-WebSocket-Version must be 13, Sec-WebSocket-Key 16 bytes');
  }
  const socket = state.connection.takeOver(state);
  const webSocket = await new Promise<WebSocket>((resolve) => {
    theAcceptor().handleUpgrade(req, socket, state.upgrade?.head ?? Buffer.alloc(0), resolve);
  });
  const stream = new WebSocketStream(webSocket, { binary: options.binary ?? false });
  return RawOutput.begin(ctx, stream, { upgraded: true });
}
