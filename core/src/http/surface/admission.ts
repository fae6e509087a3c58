import type { Context, Middleware } from './context.js';

/** Throws what a request is refused with at one server, before any hook sees it; see `ServerLimits`. */
export type Admission = (ctx: Context) => void;

/** Lets the server that accepted the connection refuse the request. */
export const admit: Middleware = (ctx, next) => {
  ctx.state.connection.server.admit?.(ctx);
  return next();
};
