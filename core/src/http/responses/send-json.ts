import type { Context } from '../exchange/context.js';

/**
 * Responds with JSON. A string is taken for JSON text that was prepared before, and is sent as it is; anything else is
 * serialised when the response leaves, so that hooks can still change it.
 */
export function sendJson<P>(ctx: Context<P>, value: unknown, status = 200): void {
  ctx.set('Content-Type', 'application/json');
  ctx.status = status;
  ctx.body = value;
}
