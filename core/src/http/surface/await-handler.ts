import { Readable } from 'node:stream';
import type { Context, Middleware } from '../exchange/context.js';
import { firstByte } from '../responses/first-byte.js';

/** Waits for the handler and for its response to begin, unless the exchange is abandoned before that. */
export const awaitHandler: Middleware = (ctx, next) => {
  const handler = handle(ctx, next);
  ctx.state.connection.server.handling(handler);
  return ctx.state.unlessAbandoned(handler);
};

async function handle(ctx: Context, next: () => Promise<void>): Promise<void> {
  await next();
  const { state } = ctx;
  if (state.isAbandoned) {
    if (ctx.body instanceof Readable) ctx.body.destroy();
    return;
  }
  await state.output?.finish();
  if (ctx.body instanceof Readable) await firstByte(ctx.body);
}
