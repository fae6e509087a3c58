import type { Handler, Params, PathParams } from './context.js';
import { type PathPattern, parsePathPattern } from './path-pattern.js';
import { Route } from './route.js';

/**
 * Where an area declares its routes. `:name` in a path takes one segment, `*name` also slashes. A GET route serves
 * HEAD as well unless there is one of its own. Fixed text wins over parameters, whatever the order of declaring.
 */
export interface Router {
  get<P extends string>(path: P, handler: Handler<PathParams<P>>): Route;
  head<P extends string>(path: P, handler: Handler<PathParams<P>>): Route;
  post<P extends string>(path: P, handler: Handler<PathParams<P>>): Route;
  put<P extends string>(path: P, handler: Handler<PathParams<P>>): Route;
  patch<P extends string>(path: P, handler: Handler<PathParams<P>>): Route;
  delete<P extends string>(path: P, handler: Handler<PathParams<P>>): Route;
}

export interface RouteMatch {
  readonly route: Route;
  readonly params: Params;
}

interface Entry {
  readonly route: Route;
  readonly pattern: PathPattern;
}

const noParams: Params = Object.freeze({});

/** The routes of one method, so that finding one compares a handful of patterns and not all. */
class MethodTable {
  readonly fixed = new Map<string, Route>();
  readonly byFirstSegment = new Map<string | undefined, Entry[]>();

  find(path: string): RouteMatch | undefined {
    const fixed = this.fixed.get(path);
    if (fixed) return { route: fixed, params: noParams };
    const end = path.indexOf('/', 1);
    const first = path.slice(1, end < 0 ? path.length : end);
    return find(this.byFirstSegment.get(first), path) ?? find(this.byFirstSegment.get(undefined), path);
  }
}

function find(entries: readonly Entry[] | undefined, path: string): RouteMatch | undefined {
  for (const { route, pattern } of entries ?? []) {
    const match = pattern.match(path);
    if (match) return { route, params: pattern.params(match) };
  }
  return undefined;
}

/**
 * All routes of a surface. Areas add and take out theirs at run time. Paths are @koa/router's; they are looked up by
 * method and first segment, for a router per area in a chain compares every path of every area for every request,
 * which costs more than all else in a ping.
 */
export class RouteTable {
  readonly #methods = new Map<string, MethodTable>();

  /**
   * Adds what `declare` declares, all or nothing.
   * @throws TypeError when another owner serves the same method and path.
   * @returns takes the routes out again.
   */
  add(owner: string, declare: (router: Router) => void): () => void {
    const entries: Entry[] = [];
    const on =
      (method: string) =>
      <P extends string>(path: P, handler: Handler<PathParams<P>>): Route => {
        const route = new Route(method, path, owner, handler as Handler<Params>);
        entries.push({ route, pattern: parsePathPattern(path) });
        return route;
      };
    declare({
      get: on('GET'),
      head: on('HEAD'),
      post: on('POST'),
      put: on('PUT'),
      patch: on('PATCH'),
      delete: on('DELETE'),
    });
    const added: Entry[] = [];
    const remove = () => {
      for (const entry of added.splice(0)) this.#remove(entry);
    };
    try {
      for (const entry of entries) {
        this.#insert(entry);
        added.push(entry);
      }
    } catch (error) {
      remove();
      throw error;
    }
    return remove;
  }

  find(method: string, path: string): RouteMatch | undefined {
    const found = this.#methods.get(method)?.find(path);
    return found ?? (method === 'HEAD' ? this.#methods.get('GET')?.find(path) : undefined);
  }

  #insert(entry: Entry): void {
    const { route, pattern } = entry;
    const table = this.#methods.get(route.method) ?? new MethodTable();
    this.#methods.set(route.method, table);
    const siblings = table.byFirstSegment.get(pattern.firstSegment) ?? [];
    const twin = pattern.hasParams
      ? siblings.find((sibling) => isTwin(sibling, entry))?.route
      : table.fixed.get(pattern.path);
    if (twin) throw new TypeError(`${route.owner}: ${route.method} ${route.path} is served by ${twin.owner} already`);
    if (!pattern.hasParams) {
      table.fixed.set(pattern.path, route);
      return;
    }
    table.byFirstSegment.set(
      pattern.firstSegment,
      [...siblings, entry].sort((a, b) => b.pattern.rank - a.pattern.rank),
    );
  }

  #remove({ route, pattern }: Entry): void {
    const table = this.#methods.get(route.method);
    if (table?.fixed.get(pattern.path) === route) table.fixed.delete(pattern.path);
    const siblings = table?.byFirstSegment.get(pattern.firstSegment) ?? [];
    table?.byFirstSegment.set(
      pattern.firstSegment,
      siblings.filter((sibling) => sibling.route !== route),
    );
  }
}

/** Two paths that differ only in the names of their parameters are the same path. */
const isTwin = (a: Entry, b: Entry): boolean => anonymous(a.pattern.path) === anonymous(b.pattern.path);

const anonymous = (path: string): string => path.replace(/\/([:*])[^/]*/g, '/$1');
