import Koa from 'koa';
import { type Logger, silentLogger } from '../../kernel/logging/logger.js';
import { admit, refuseWhileDraining } from '../exchange/admission.js';
import type { Middleware } from '../exchange/context.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Operations } from '../exchange/operation.js';
import type { Route } from '../exchange/route.js';
import { type BodyLimits, defaultBodyLimits } from '../parsing/body-limits.js';
import { checkHead } from '../requests/check-head.js';
import { MountedRouters } from '../routing/mounted-routers.js';
import type { Router } from '../routing/router.js';
import { stripVersion, type VersionRange } from '../routing/version.js';
import { awaitHandler } from './await-handler.js';
import { type ErrorFormat, errorResponses, errorText, type Failure } from './error-responses.js';
import { Hooks, type Stage } from './hooks.js';
import { jsonResponses } from './json-responses.js';

export interface SurfaceOptions extends Partial<ErrorFormat> {
  /** Such as `engine`; in log lines. */
  readonly name: string;
  /** Without it paths have no version prefix. Without a prefix a request speaks `max`. */
  readonly versions?: VersionRange;
  /** On every response, also on hijacked connections. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Most bytes of a body that is read in one piece. Default 16 MiB. */
  readonly bodyLimit?: number;
  /** The other limits of bodies. */
  readonly bodyLimits?: BodyLimits;
  readonly log?: Logger;
}

/**
 * A named API: a koa application with its routes, its hooks, its versions and the format of its errors. Servers bring
 * it requests; areas mount and unmount their routers at run time.
 */
export class Surface {
  readonly name: string;
  /** For its servers, too. */
  readonly log: Logger;
  readonly #options: SurfaceOptions;
  readonly #routers = new MountedRouters();
  readonly #hooks = new Hooks();
  readonly #handle: ReturnType<Koa['callback']>;

  constructor(options: SurfaceOptions) {
    this.name = options.name;
    this.log = options.log ?? silentLogger;
    this.#options = options;
    this.#handle = this.#application().callback();
  }

  /**
   * Mounts an area's routes.
   * @param operations what they do, for the document of the API; those of other routes are ignored.
   * @throws TypeError when one is served already.
   * @returns unmounts them.
   */
  routes(owner: string, declare: (router: Router) => void, operations?: Operations): () => void {
    return this.#routers.mount(owner, declare, operations);
  }

  /** All routes that are mounted, in the order in which requests are compared with them. */
  get mounted(): readonly Route[] {
    return this.#routers.routes;
  }

  /** Adds a hook; within a stage, the first added is the outermost. @returns removes it. */
  use(stage: Stage, middleware: Middleware): () => void {
    return this.#hooks.add(stage, middleware);
  }

  /** Serves one request. Never throws: every outcome becomes a response or the end of the connection. */
  accept(exchange: Exchange): void {
    exchange.bodyLimit = this.#options.bodyLimit ?? 16 * 2 ** 20;
    exchange.limits = this.#options.bodyLimits ?? defaultBodyLimits;
    void this.#handle(exchange.request, exchange.response);
  }

  /** The JSON text of an error, for what never becomes a request. */
  errorText(failure: Failure): string {
    return errorText(this.#options, failure);
  }

  #application(): Koa<Exchange> {
    const errors = errorResponses({ ...this.#options, surface: this.name, log: this.log });
    const application = new Koa<Exchange>();
    application.on('error', (error) =>
      this.log.debug({ event: 'http.response-failed', error }, 'failed to send a response to its end'),
    );
    const middleware: readonly Middleware[] = [
      exchangeAsState,
      headers(this.#options.headers ?? {}),
      jsonResponses,
      errors,
      this.#hooks.stage('audit'),
      errors,
      refuseWhileDraining,
      checkHead,
      stripVersion(this.#options.versions),
      admit,
      this.#hooks.stage('observe'),
      this.#routers.match,
      this.#hooks.stage('authorize'),
      this.#hooks.stage('forward'),
      this.#hooks.stage('translate'),
      this.#hooks.stage('adapt'),
      errors, // again, so that the hooks see errors as the client does
      awaitHandler,
      this.#routers.dispatch,
    ];
    for (const each of middleware) application.use(each as unknown as Koa.Middleware<Exchange>);
    return application;
  }
}

/** Handlers know a request and its response as an exchange. */
const exchangeAsState: Middleware = (ctx, next) => {
  ctx.state = (ctx.res as Exchange['response']).exchange as Exchange;
  return next();
};

const headers = (fixed: Readonly<Record<string, string>>): Middleware => {
  const entries = Object.entries(fixed);
  return (ctx, next) => {
    // Past koa, whose `set` takes a tenth of the time of a short request.
    for (const [name, value] of entries) ctx.res.setHeader(name, value);
    return next();
  };
};
