import type { IncomingMessage } from 'node:http';
import type { Connection } from '../exchange/connection.js';
import { EngineResponse } from '../exchange/engine-response.js';
import { Exchange } from '../exchange/exchange.js';

/**
 * Makes an ordinary exchange of a request that asks to leave HTTP. Node has taken its parser off the socket by then
 * and gives no response object; with one made here the same routes, hooks and errors serve the request. A route that
 * does not hijack answers as usual, and the connection ends behind the answer.
 */
export function upgradedExchange(request: IncomingMessage, head: Buffer, connection: Connection): Exchange {
  const { socket } = connection;
  const response = new EngineResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  const protocol = (request.headers.upgrade ?? '').split(',', 1)[0]?.trim().toLowerCase() ?? '';
  const exchange = new Exchange(request, response, connection, { protocol, head });
  connection.begin(exchange);
  socket.on('error', () => undefined);
  // These two are the HTTP server's work on a connection that it still has.
  socket.on('drain', () => response.emit('drain'));
  response.once('finish', () => {
    response.detachSocket(socket);
    connection.end(exchange);
    socket.resume();
    socket.destroySoon();
  });
  return exchange;
}
