import type { Context, PathParams, Route, Router } from '@gantry/core/http';
import type { Access, Caller, Gate } from './gate.js';

/** Serves a route for somebody who may use it. As other handlers, it throws errors and never writes them. */
export type HostedHandler<P> = (ctx: Context<P>, caller: Caller) => Promise<void> | void;

type Declare = <P extends string>(path: P, handler: HostedHandler<PathParams<P>>) => Route;

/** Where an area declares routes behind the gate; paths as in the kernel's `Router`. */
export interface HostedRouter {
  readonly get: Declare;
  readonly post: Declare;
  readonly put: Declare;
  readonly patch: Declare;
  readonly delete: Declare;
}

/** Puts the gate in front of every handler that is declared. */
export function guard(router: Router, gate: Gate, access: Access): HostedRouter {
  const guarded =
    (method: keyof HostedRouter): Declare =>
    (path, handler) =>
      router[method](path, (ctx) => handler(ctx, gate.admit(ctx, access)));
  return {
    get: guarded('get'),
    post: guarded('post'),
    put: guarded('put'),
    patch: guarded('patch'),
    delete: guarded('delete'),
  };
}
