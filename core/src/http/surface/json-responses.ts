import { isReadable, Readable } from 'node:stream';
import type { Context, Middleware } from '../exchange/context.js';

/**
 * Serialises what is to be sent when the response leaves, so that hooks change objects and not texts. A response
 * without a body is empty, where koa would put the name of its status.
 */
export const jsonResponses: Middleware = async (ctx, next) => {
  await next();
  if (ctx.respond === false) return;
  const { answer } = ctx.state;
  const { body } = ctx;
  if (answer !== undefined) sendText(ctx, answer);
  else if (body === undefined || body === null) empty(ctx);
  else if (typeof body !== 'string' && !Buffer.isBuffer(body) && !isStream(body)) sendText(ctx, body);
};

function sendText(ctx: Context, value: unknown): void {
  ctx.set('Content-Type', 'application/json');
  ctx.body = `${JSON.stringify(value)}\n`;
}

function empty(ctx: Context): void {
  if (ctx.status === 204 || ctx.status === 304) return;
  ctx.respond = false;
  if (ctx.method !== 'HEAD') ctx.length = 0;
  ctx.res.end();
}

const isStream = (body: unknown): body is Readable =>
  body instanceof Readable || (typeof body === 'object' && body !== null && isReadable(body as Readable) === true);
