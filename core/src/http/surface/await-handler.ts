import { Readable } from 'node:stream';
import type { Context, Middleware } from '../exchange/context.js';
import { firstByte } from '../responses/first-byte.js';

/** Waits for the handler and for its response to begin, unless the exchange is abandoned before that. */
export const awaitHandler: Middleware = (ctx, next) => ctx.state.unlessAbandoned(handle(ctx, next));

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
