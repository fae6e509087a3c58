import type { Middleware } from './context.js';
import type { Operation } from './operation.js';

/** A property of a route that is declared beside it, for hooks that run before its handler. */
export type RouteMark = Middleware & { readonly mark: string };

/**
 * Makes a mark: `router.get(path, readsOnly, handler)` declares it, `ctx.state.route?.has(readsOnly)` asks for it. As
 * middleware it does nothing.
 */
export const routeMark = (mark: string): RouteMark =>
  Object.assign(((_ctx, next) => next()) satisfies Middleware, { mark });

const isMark = (handler: object): handler is RouteMark => 'mark' in handler;

/** One path with its methods, and what is declared beside it. */
export class Route {
  readonly #marks: ReadonlySet<string>;

  constructor(
    /** Such as `GET`, which stands for HEAD, too. */
    readonly method: string,
    /** The path as declared, such as `/containers/:id/json`. */
    readonly path: string,
    /** Who added the route, for the message about a second one. */
    readonly owner: string,
    handlers: readonly object[],
    /** What it does; undefined when its owner does not say. */
    readonly operation?: Operation,
  ) {
    this.#marks = new Set(handlers.filter(isMark).map(({ mark }) => mark));
  }

  has({ mark }: RouteMark): boolean {
    return this.#marks.has(mark);
  }

  /** Two paths that differ only in the names of their parameters are the same. */
  get key(): string {
    return `${this.method} ${this.path.replace(/\/([:*])[^/]*/g, '/$1')}`;
  }
}
