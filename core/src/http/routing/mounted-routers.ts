import type KoaRouter from '@koa/router';
import type { Layer } from '@koa/router';
import type Koa from 'koa';
import { notFound } from '../../errors/engine-error.js';
import type { Context, Middleware } from '../exchange/context.js';
import type { Operations } from '../exchange/operation.js';
import { Route } from '../exchange/route.js';
import { checkEscapes } from './check-escapes.js';
import { createRouter, type Router } from './router.js';

interface MountedRouter {
  readonly router: KoaRouter;
  readonly routes: ReadonlyMap<Layer, Route>;
  readonly dispatch: Koa.Middleware;
  /** The first segments of its paths; undefined when one of them is a parameter. */
  readonly firstSegments: ReadonlySet<string> | undefined;
}

/** The routers of a surface, one for each area. Areas mount and unmount theirs at run time. */
export class MountedRouters {
  #mounted: readonly MountedRouter[] = [];
  /** Between `match` and `dispatch`. */
  readonly #dispatchers = new WeakMap<Context, Koa.Middleware>();

  /** All routes, in the order in which they are compared. */
  get routes(): readonly Route[] {
    return this.#mounted.flatMap(({ routes }) => [...routes.values()]);
  }

  /**
   * Mounts a router with what `declare` declares, all or nothing.
   * @throws TypeError when another owner serves the same method and path.
   * @returns unmounts it.
   */
  mount(owner: string, declare: (router: Router) => void, operations: Operations = {}): () => void {
    const router = createRouter();
    declare(router as unknown as Router);
    const routes = new Map(router.stack.map((layer) => [layer, routeOf(layer, owner, operations)]));
    this.#refuseDuplicates([...routes.values()]);
    const mounted: MountedRouter = {
      router,
      routes,
      dispatch: router.routes() as unknown as Koa.Middleware,
      firstSegments: firstSegmentsOf(routes.values()),
    };
    this.#mounted = [...this.#mounted, mounted];
    return () => {
      this.#mounted = this.#mounted.filter((other) => other !== mounted);
    };
  }

  /** Finds the route of a request, for hooks; `dispatch` refuses requests without one. */
  readonly match: Middleware = (ctx, next) => {
    const first = firstSegment(ctx.path);
    for (const { router, routes, dispatch, firstSegments } of this.#mounted) {
      // Comparing the path with each route of every area would take a tenth of the time of a short request.
      if (firstSegments?.has(first) === false) continue;
      const layer = router.match(ctx.path, ctx.method).pathAndMethod[0];
      if (layer === undefined) continue;
      ctx.state.route = routes.get(layer);
      this.#dispatchers.set(ctx, dispatch);
      break;
    }
    return next();
  };

  /** Hands the request to the router that has its route. */
  readonly dispatch: Middleware = (ctx, next) => {
    const dispatch = this.#dispatchers.get(ctx);
    if (dispatch === undefined) throw notFound('page not found');
    checkEscapes(ctx.path);
    ctx.status = 200;
    return dispatch(ctx as unknown as Koa.Context, next) as Promise<void>;
  };

  #refuseDuplicates(routes: readonly Route[]): void {
    const served = new Map(this.routes.map((route) => [route.key, route]));
    for (const route of routes) {
      const twin = served.get(route.key);
      if (twin) throw new TypeError(`${route.owner}: ${route.method} ${route.path} is served by ${twin.owner} already`);
      served.set(route.key, route);
    }
  }
}

function routeOf({ methods, path, stack }: Layer, owner: string, operations: Operations): Route {
  const method = methods.at(-1) ?? '';
  return new Route(method, String(path), owner, stack, operations[`${method} ${path}`]);
}

const firstSegment = (path: string): string => path.split('/', 2)[1] ?? '';

function firstSegmentsOf(routes: Iterable<Route>): ReadonlySet<string> | undefined {
  const segments = Array.from(routes, ({ path }) => firstSegment(path));
  return segments.every((segment) => /^[\w.-]*$/.test(segment)) ? new Set(segments) : undefined;
}
