import type { ParameterizedContext } from 'koa';
import type { Exchange } from './exchange.js';

/** Path parameters, decoded once. */
export type Params = Readonly<Record<string, string>>;

type Name<Segment extends string> = Segment extends `:${infer N}` ? N : Segment extends `*${infer N}` ? N : never;

type Names<Path extends string> = Path extends `${infer Head}/${infer Tail}` ? Name<Head> | Names<Tail> : Name<Path>;

/** The parameters a path declares: `PathParams<'/images/*name/json'>` is `{ name: string }`. */
export type PathParams<Path extends string> = string extends Path ? Params : { readonly [N in Names<Path>]: string };

/** The argument of a handler: koa's context, with `state` the {@link Exchange} and `params` the path's parameters. */
export type Context<P = Params> = ParameterizedContext<Exchange, { params: P }>;

/**
 * Serves a route: parses, makes one call, shapes the response. It throws errors and never writes them. The response is
 * `ctx.body` and `ctx.status` for texts and streams, or what `sendJson`, `jsonStream`, `openBody` or `hijack` were given.
 */
export type Handler<P = Params> = (ctx: Context<P>) => Promise<void> | void;

/** koa's middleware: calls `next` for what is further in, or responds itself. */
export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void>;
