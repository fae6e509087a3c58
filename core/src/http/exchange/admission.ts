import type { Context, Middleware } from './context.js';

/** Throws the reason for which a server refuses a request. */
export type Admission = (ctx: Context) => void;

/**
 * Refuses requests while their server drains, before anything else judges them: what the hooks and the versions need
 * may have stopped already.
 */
export const refuseWhileDraining: Middleware = (ctx, next) => {
  ctx.state.connection.server.checkDraining(ctx);
  return next();
};

/** Lets the server that accepted the connection refuse the request. */
export const admit: Middleware = (ctx, next) => {
  ctx.state.connection.server.admit(ctx);
  return next();
};
