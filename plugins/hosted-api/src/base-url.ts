import type { Context, Middleware } from '@gantry/core/http';

/** A name or an address, with or without a port. */
const hostForm = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Finds out what addresses in answers begin with, and takes prefixes off that clients put in front of paths. */
export class BaseUrl {
  readonly #prefixOf = new WeakMap<object, string>();

  constructor(
    private readonly configured: string | undefined,
    private readonly prefixes: readonly string[],
  ) {}

  /** A hook: below `/api/v3`, say, everything is served as it is at the top. */
  readonly strip: Middleware = (ctx, next) => {
    const prefix = this.prefixes.find((each) => ctx.path.startsWith(`${each}/`));
    if (prefix !== undefined) {
      this.#prefixOf.set(ctx.state, prefix);
      ctx.path = ctx.path.slice(prefix.length);
    }
    return next();
  };

  of<P>(ctx: Context<P>): string {
    if (this.configured !== undefined) return this.configured;
    const host = hostForm.test(ctx.host) ? ctx.host : 'localhost';
    return `${ctx.protocol}://${host}${this.#prefixOf.get(ctx.state) ?? ''}`;
  }
}
