import { Config, inject, injectable } from '@gantry/core/driver';
import type { Context, Middleware } from '@gantry/core/http';
import type { HostedApiConfig } from './config.js';

/** A host name or IP address, with an optional port. */
const hostForm = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Determines the base of URLs in responses, and strips the path prefixes of clients. */
@injectable()
export class BaseUrl {
  readonly #prefixOf = new WeakMap<object, string>();

  constructor(@inject(Config) private readonly config: HostedApiConfig) {}

  /** Middleware that serves paths below a configured prefix, such as `/api/v3`, as if it were absent. */
  readonly strip: Middleware = (ctx, next) => {
    const prefix = this.config.pathPrefixes.find((each) => ctx.path.startsWith(`${each}/`));
    if (prefix !== undefined) {
      this.#prefixOf.set(ctx.state, prefix);
      ctx.path = ctx.path.slice(prefix.length);
    }
    return next();
  };

  of<P>(ctx: Context<P>): string {
    if (this.config.baseUrl !== undefined) return this.config.baseUrl;
    const host = hostForm.test(ctx.host) ? ctx.host : 'localhost';
    return `${ctx.protocol}://${host}${this.#prefixOf.get(ctx.state) ?? ''}`;
  }
}
