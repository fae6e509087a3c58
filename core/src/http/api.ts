import { Readable } from 'node:stream';
import Koa from 'koa';
import { EngineError, invalidArgument, kindOf, messageOf, notFound } from '../errors/engine-error.js';
import { type Logger, silentLogger } from '../kernel/logging/logger.js';
import { writeAnswer } from './answer.js';
import { type BodyLimits, defaultBodyLimits } from './body-limits.js';
import { checkHead } from './check-head.js';
import type { Context, Middleware } from './context.js';
import type { Exchange } from './exchange.js';
import { firstByte } from './first-byte.js';
import { takePlainBodies } from './plain-bodies.js';
import { type Router, RouteTable } from './route-table.js';
import { statusFor } from './status.js';
import { checkVersion, splitVersion, type VersionRange } from './version.js';

/**
 * Where a hook runs, from the client inwards. `observe` sees everything, also what others refuse. `authorize` sees
 * the request as the client sent it and the answer as the client gets it. `translate` changes one dialect into
 * another, both ways.
 */
export const stages = ['observe', 'authorize', 'translate'] as const;
export type Stage = (typeof stages)[number];

/** An error on its way to the client. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly error: unknown;
}

export interface SurfaceOptions {
  /** Such as `engine`; in log lines. */
  readonly name: string;
  /** Without it paths have no version prefix. Without a prefix a request speaks `max`. */
  readonly versions?: VersionRange;
  /** On every answer, also on hijacked connections. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body of an error. Default `{ message }`. */
  readonly errorBody?: (failure: Failure) => object;
  /** Statuses of errors that only this API has; undefined leaves an error to the one table. A route's own come first. */
  readonly errorStatus?: (error: unknown) => number | undefined;
  /** Most bytes of a body that is read in one piece. Default 16 MiB. */
  readonly bodyLimit?: number;
  /** What else is limited about bodies. */
  readonly bodyLimits?: BodyLimits;
  readonly log?: Logger;
}

/**
 * A named API: its routes, its hooks, its versions, its way to word an error. Servers bring it requests; areas add
 * their routes while it runs and take them out again.
 */
export class Surface {
  readonly name: string;
  readonly #options: SurfaceOptions;
  /** Where servers report, too. */
  readonly log: Logger;
  readonly #table = new RouteTable();
  readonly #hooks: { readonly stage: Stage; readonly middleware: Middleware }[] = [];
  /** Makes the contexts. Requests do not go through its chain: half of a ping would be spent there. */
  readonly #koa = new Koa();
  #chain: (ctx: Context) => Promise<void>;

  constructor(options: SurfaceOptions) {
    this.name = options.name;
    this.#options = options;
    this.log = options.log ?? silentLogger;
    this.#chain = (ctx) => this.#dispatch(ctx);
    takePlainBodies(this.#koa);
    this.#koa.on('error', (error) =>
      this.log.debug({ event: 'http.stream-failed', error }, 'an answer could not be finished'),
    );
  }

  /** Adds an area's routes. @throws TypeError when one is served already. @returns takes them out again. */
  routes(owner: string, declare: (router: Router) => void): () => void {
    return this.#table.add(owner, declare);
  }

  /** Adds a hook; within a stage, the first added is the outermost. @returns takes it out again. */
  use(stage: Stage, middleware: Middleware): () => void {
    const hook = { stage, middleware };
    this.#hooks.push(hook);
    this.#compose();
    return () => {
      const index = this.#hooks.indexOf(hook);
      if (index >= 0) this.#hooks.splice(index, 1);
      this.#compose();
    };
  }

  /** Serves one request. Never throws: every outcome becomes an answer or the end of the connection. */
  accept(exchange: Exchange): void {
    exchange.bodyLimit = this.#options.bodyLimit ?? 16 * 2 ** 20;
    exchange.limits = this.#options.bodyLimits ?? defaultBodyLimits;
    const ctx = this.#koa.createContext(exchange.request, exchange.response) as unknown as Context;
    ctx.state = exchange;
    ctx.res.statusCode = 404;
    this.#serve(ctx).catch((error: Error) => ctx.onerror(error));
  }

  /** The JSON text that tells a client of an error, for what never becomes a request. */
  errorText(failure: Failure): string {
    return `${JSON.stringify(this.#options.errorBody?.(failure) ?? { message: failure.message })}\n`;
  }

  #compose(): void {
    const ordered = stages.flatMap((stage) => this.#hooks.filter((hook) => hook.stage === stage));
    this.#chain = ordered.reduceRight<(ctx: Context) => Promise<void>>(
      (next, { middleware }) =>
        async (ctx) =>
          middleware(ctx, () => next(ctx)),
      (ctx) => this.#dispatch(ctx),
    );
  }

  async #serve(ctx: Context): Promise<void> {
    try {
      this.#prepare(ctx);
      await this.#chain(ctx);
    } catch (error) {
      this.#fail(ctx, error);
    }
    if (ctx.respond !== false) writeAnswer(ctx);
  }

  #prepare(ctx: Context): void {
    const { req, res, state } = ctx;
    for (const name in this.#options.headers) res.setHeader(name, this.#options.headers[name] ?? '');
    const fault = checkHead(req);
    if (fault !== undefined) {
      state.response.shouldKeepAlive = false;
      throw invalidArgument(`malformed request: ${fault}`);
    }
    const { versions } = this.#options;
    if (versions !== undefined) {
      const { target, version } = splitVersion(req.url ?? '/');
      req.url = target;
      state.version = version ?? versions.max;
      if (version !== undefined) checkVersion(version, versions);
    }
    state.connection.server.admit?.(ctx);
  }

  /** Finds the route and calls its handler. Its errors become answers here, so that hooks see them as such. */
  async #dispatch(ctx: Context): Promise<void> {
    const { state } = ctx;
    try {
      const found = this.#table.find(ctx.method, ctx.path);
      if (!found) throw notFound('page not found');
      state.route = found.route;
      ctx.params = found.params;
      ctx.res.statusCode = 200;
      const handled = found.route.handler(ctx);
      if (handled !== undefined) await state.unlessGivenUp(this.#complete(ctx, handled));
      else if (state.output !== undefined || ctx.body instanceof Readable) await this.#complete(ctx);
    } catch (error) {
      this.#fail(ctx, error);
    }
  }

  /** Waits for the handler, and for its answer to begin. */
  async #complete(ctx: Context, handled?: Promise<void>): Promise<void> {
    await handled;
    const { state } = ctx;
    if (state.givenUp) {
      if (ctx.body instanceof Readable) ctx.body.destroy();
      return;
    }
    await state.output?.finish();
    if (ctx.body instanceof Readable) await firstByte(ctx.body);
  }

  #fail(ctx: Context, thrown: unknown): void {
    const { res, state } = ctx;
    if (ctx.body instanceof Readable) ctx.body.destroy();
    const error = state.aborted && !EngineError.is(thrown) ? state.aborted.reason : thrown;
    const exceptions = state.route?.exceptions;
    const status = exceptions?.[kindOf(error)] ?? this.#options.errorStatus?.(error) ?? statusFor(error, exceptions);
    const facts = { surface: this.name, method: ctx.method, path: ctx.path, status, error };
    if (status === 500 && !state.aborted) this.log.error({ event: 'http.failed', ...facts }, 'a request failed');
    else this.log.debug({ event: 'http.refused', ...facts }, 'a request was refused');
    if (state.output?.begun) {
      state.output.fail(error);
      return;
    }
    if (res.headersSent) {
      res.destroy();
      return;
    }
    delete ctx.respond;
    ctx.status = status;
    if (status === 304) return;
    res.removeHeader('Content-Length');
    res.setHeader('Content-Type', 'application/json');
    ctx.body = this.#options.errorBody?.({ status, message: messageOf(error), error }) ?? { message: messageOf(error) };
  }
}
