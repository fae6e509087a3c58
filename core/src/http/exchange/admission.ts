import type { Context, Middleware } from './context.js';

/** Throws the reason for which a server refuses a request. */
export type Admission = (ctx: Context) => void;

/** Lets the server that accepted the connection refuse the request. */
export const admit: Middleware = (ctx, next) => {
  ctx.state.connection.server.admit(ctx);
  return next();
};
