import KoaRouter from '@koa/router';
import type { Handler, Middleware, PathParams } from '../exchange/context.js';

export interface Declare {
  <P extends string>(path: P, handler: Handler<PathParams<P>>): Router;
  <P extends string>(path: P, first: Middleware, handler: Handler<PathParams<P>>): Router;
  <P extends string>(path: P, first: Middleware, second: Middleware, handler: Handler<PathParams<P>>): Router;
}

/**
 * A router of @koa/router, its context typed by the paths. `:name` in a path takes one segment, `*name` also slashes;
 * both come decoded. A GET route serves HEAD as well. The first declared route that matches serves the request: declare
 * HEAD before GET of the same path, and fixed text before parameters.
 */
export interface Router {
  readonly get: Declare;
  readonly head: Declare;
  readonly post: Declare;
  readonly put: Declare;
  readonly patch: Declare;
  readonly delete: Declare;
  readonly options: Declare;
}

/** Paths match with their case, and with their slash at the end or without it, as they are declared. */
export const createRouter = (): KoaRouter => new KoaRouter({ sensitive: true, strict: true });
