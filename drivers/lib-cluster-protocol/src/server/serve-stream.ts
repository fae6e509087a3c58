import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Logger } from '@gantry/core/driver';
import { forbidden, internal, notFound, unauthorized, unavailable } from '@gantry/core/errors';
import type { Peer } from '../identity/peer.js';
import { afterFrames } from '../messages/after-frames.js';
import { toErrorMessage } from '../messages/error-message.js';
import { readBody } from '../messages/read-body.js';
import { sendAll } from '../messages/send-all.js';
import type { NodeRequest, NodeRoute, NodeRouteTable } from './node-route.js';

interface ServedBy {
  readonly routes: NodeRouteTable;
  readonly peer: Peer | undefined;
  readonly remoteAddress: string;
  readonly log: Logger;
}

/** One for all: an error for each request would cost more than many answers. */
const requestEnded = unavailable('the request of the node has ended');

/** Serves one request. Never rejects: every outcome becomes an answer or the end of the stream. */
export async function serveStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  by: ServedBy,
): Promise<void> {
  const { log, peer, remoteAddress, routes } = by;
  const path = String(headers[constants.HTTP2_HEADER_PATH] ?? '');
  const end = new AbortController();
  stream.once('close', () => end.abort(requestEnded));
  stream.on('error', () => undefined); // the other node has gone: the signal says so
  try {
    const route = routes.get(path);
    if (route === undefined) throw notFound(`this node does not serve ${path}`);
    checkAccess(route, peer);
    const { session } = stream; // a stream that has ended has none
    const disconnect = (): void => afterFrames(() => session?.destroy());
    const request = { peer, remoteAddress, signal: end.signal, disconnect };
    await answer(stream, route, headers, request);
  } catch (error) {
    log.debug({ event: 'swarm.request-failed', path, node: peer?.nodeId, err: error }, 'a request of a node failed');
    if (stream.destroyed || stream.closed) return;
    if (stream.headersSent) afterFrames(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    else {
      stream.respond({ [constants.HTTP2_HEADER_STATUS]: 500 });
      stream.end(toErrorMessage(error));
    }
  }
}

function checkAccess({ acceptsExpired, access }: NodeRoute, peer: Peer | undefined): void {
  if (access === 'anyone') return;
  if (peer === undefined) throw unauthorized('a certificate of this swarm is needed');
  if (peer.isExpired && acceptsExpired !== true) throw unauthorized('the certificate of the node has expired');
  if (access === 'managers' && peer.role !== 'manager') throw forbidden('only managers may ask this');
}

async function answer(
  stream: ServerHttp2Stream,
  route: NodeRoute,
  headers: IncomingHttpHeaders,
  request: Omit<NodeRequest, 'body'>,
): Promise<void> {
  switch (route.type) {
    case 'call': {
      const result = await route.answer({ ...request, body: parse(await readBody(stream)) });
      stream.respond({ [constants.HTTP2_HEADER_STATUS]: 200 });
      stream.end(JSON.stringify(result ?? null));
      return;
    }
    case 'stream': {
      const lines = linesOf(route.answer({ ...request, body: parse(await readBody(stream)) }));
      const first = await lines.next(); // an error before the first value is answered as one
      stream.respond({ [constants.HTTP2_HEADER_STATUS]: 200 });
      await sendAll(following(first, lines), stream, request.signal);
      return;
    }
    case 'upload':
      await route.answer({ ...request, body: headOf(headers) }, stream);
      stream.respond({ [constants.HTTP2_HEADER_STATUS]: 200 });
      stream.end('null');
      return;
    case 'tunnel':
      stream.respond({ [constants.HTTP2_HEADER_STATUS]: 200 });
      route.answer({ ...request, body: headOf(headers) }, stream);
  }
}

/** The message in the head of an upload or a tunnel. */
const headOf = (headers: IncomingHttpHeaders): unknown => parse(String(headers['gantry-message'] ?? 'null'));

type Line = string | Uint8Array;

async function* linesOf(values: AsyncIterable<unknown>): AsyncGenerator<Line> {
  for await (const value of values) yield value instanceof Uint8Array ? value : `${JSON.stringify(value)}\n`;
}

async function* following(first: IteratorResult<Line>, rest: AsyncGenerator<Line>): AsyncGenerator<Line> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch (cause) {
    throw internal('a message of another node is not JSON', { cause });
  }
}
