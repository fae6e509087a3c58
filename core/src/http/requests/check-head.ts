import type { IncomingMessage } from 'node:http';
import { invalidArgument } from '../../errors/engine-error.js';
import type { Middleware } from '../exchange/context.js';

/**
 * Refuses heads that Node's parser lets through although a proxy in front may understand them differently. The
 * connection ends behind the response.
 */
export const checkHead: Middleware = (ctx, next) => {
  const fault = faultOf(ctx.req);
  if (fault === undefined) return next();
  ctx.res.shouldKeepAlive = false;
  throw invalidArgument(`malformed request: ${fault}`);
};

function faultOf({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return `HTTP/${httpVersion} is not spoken here`;
  const { host, 'transfer-encoding': encoding } = headers;
  if (host === undefined && httpVersion === '1.1') return 'the Host header is missing';
  if (countOf('host', rawHeaders) > 1) return 'there is more than one Host header';
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked') {
    return `Transfer-Encoding "${encoding}" is not understood, only chunked is`;
  }
  return undefined;
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}
