import type { Context, Handler, Middleware, PathParams, Router } from '@gantry/core/http';
import type { Access, Caller, Gate } from './gate.js';

/** Handles a request of an authenticated user. Like other handlers it throws errors and never writes them. */
export type HostedHandler<P> = (ctx: Context<P>, caller: Caller) => Promise<void> | void;

interface Declare {
  <P extends string>(path: P, handler: HostedHandler<PathParams<P>>): void;
  <P extends string>(path: P, middleware: Middleware, handler: HostedHandler<PathParams<P>>): void;
}

/** Declares routes that require authentication; paths as in the kernel's `Router`. */
export interface HostedRouter {
  readonly get: Declare;
  readonly post: Declare;
  readonly put: Declare;
  readonly patch: Declare;
  readonly delete: Declare;
}

/** Returns a router whose handlers run only after the gate has admitted the request. */
export function guard(router: Router, gate: Gate, access: Access): HostedRouter {
  const guarded =
    (method: keyof HostedRouter): Declare =>
    <P extends string>(
      path: P,
      ...handlers: readonly [HostedHandler<PathParams<P>>] | readonly [Middleware, HostedHandler<PathParams<P>>]
    ) => {
      const [middleware, handler] = handlers.length === 1 ? [undefined, handlers[0]] : handlers;
      const admitted: Handler<PathParams<P>> = (ctx) => handler(ctx, gate.admit(ctx, access));
      if (middleware === undefined) router[method](path, admitted);
      else router[method](path, middleware, admitted);
    };
  return {
    get: guarded('get'),
    post: guarded('post'),
    put: guarded('put'),
    patch: guarded('patch'),
    delete: guarded('delete'),
  };
}
