import { isReadable, pipeline, Readable } from 'node:stream';
import type { Context } from './context.js';

const json = 'application/json';

/**
 * Answers with JSON. A string is taken for JSON text that was prepared before, and leaves as it is; anything else is
 * serialised when the answer leaves, so that hooks can still change it.
 */
export function sendJson<P>(ctx: Context<P>, value: unknown, status = 200): void {
  ctx.res.setHeader('Content-Type', json);
  ctx.status = status;
  ctx.body = value;
}

/** Writes what a handler left in `ctx.body`. */
export function writeAnswer(ctx: Context): void {
  const { res, body } = ctx;
  ctx.respond = false;
  if (res.headersSent) {
    res.end();
    return;
  }
  if (isStream(body)) {
    if (ctx.method === 'HEAD' || hasNoBody(res.statusCode)) res.end();
    else pipeline(body, res, (error) => error && ctx.onerror(error));
    return;
  }
  const content = serialised(ctx, body);
  if (content === undefined) {
    if (ctx.method !== 'HEAD' && !hasNoBody(res.statusCode)) res.setHeader('Content-Length', 0);
    res.end();
    return;
  }
  res.setHeader('Content-Length', Buffer.byteLength(content));
  if (ctx.method === 'HEAD') res.end();
  else res.end(content);
}

function serialised(ctx: Context, body: unknown): string | Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  ctx.res.setHeader('Content-Type', json);
  return `${JSON.stringify(body)}\n`;
}

const hasNoBody = (status: number): boolean => status === 204 || status === 304;

const isStream = (body: unknown): body is Readable =>
  body instanceof Readable || (typeof body === 'object' && body !== null && isReadable(body as Readable) === true);
