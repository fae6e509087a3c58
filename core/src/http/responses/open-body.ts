import type { ServerResponse } from 'node:http';
import type { Context } from '../exchange/context.js';
import type { Output } from '../exchange/exchange.js';

export interface BodyHead {
  readonly contentType: string;
  /** Default 200. */
  readonly status?: number;
}

/**
 * Sends the head of an answer now and gives the body to write: for logs and archives, whose first byte may be long
 * in coming. The body ends when the handler returns; when it throws, the connection is cut, so that the client does
 * not take a part for the whole.
 */
export function openBody<P>(ctx: Context<P>, head: BodyHead): ServerResponse {
  const { res, state } = ctx;
  sendHead(ctx, head);
  state.output = {
    begun: true,
    finish: () => void res.end(),
    fail: () => void res.destroy(),
  } satisfies Output;
  return res;
}

/** Leaves the answer to the caller and sends its head. */
export function sendHead<P>(ctx: Context<P>, { contentType, status = 200 }: BodyHead): void {
  const { res, state } = ctx;
  ctx.respond = false;
  res.statusCode = status;
  res.setHeader('Content-Type', contentType);
  // A write that meets a closed connection is no error of ours; the exchange is aborted by then.
  res.on('error', () => undefined);
  res.flushHeaders();
  // The answer to HEAD is complete; what would fill the body need not begin.
  if (ctx.method === 'HEAD') state.abort();
}
