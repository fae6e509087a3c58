import { Config, inject, injectable } from '@gantry/core/driver';
import { forbidden, unauthorized } from '@gantry/core/errors';
import { type Context, isLoopback } from '@gantry/core/http';
import type { ConsoleConfig } from '../config.js';
import { ConsoleEndpoint } from '../endpoint.js';
import { sessionIdOf } from './session-cookie.js';
import { type Session, Sessions } from './sessions.js';

/** What browsers may ask before someone has signed in: the files of the pages, and to sign in. */
const open = /^\/(?:session|[\w-]+\.(?:html|css|js|svg))?$/;

/** Lets the console's own pages in, when someone has signed in. */
@injectable()
export class Gate {
  constructor(
    @inject(Config) private readonly config: ConsoleConfig,
    @inject(ConsoleEndpoint) private readonly endpoint: ConsoleEndpoint,
    @inject(Sessions) private readonly sessions: Sessions,
  ) {}

  /**
   * @throws EngineError `forbidden` naming the header when another site's page asks, or asks by a name that is not the
   * console's; `unauthorized` when no one has signed in.
   */
  admit(ctx: Context): void {
    this.#checkHost(ctx);
    this.#checkOrigin(ctx);
    if (!open.test(ctx.path) && this.sessionOf(ctx) === undefined) {
      throw unauthorized('not signed in; "gantryd console" prints a token');
    }
  }

  /** The user's session: of the proxy's user, or of the token that was used. */
  sessionOf<P>(ctx: Context<P>): Session | undefined {
    const { userHeader } = this.config;
    if (userHeader === undefined) return this.sessions.find(sessionIdOf(ctx) ?? '');
    const user = ctx.get(userHeader);
    return user === '' ? undefined : { user, expires: Number.POSITIVE_INFINITY };
  }

  /** A site that has its own name lead to this address would otherwise be the console for the browser. */
  #checkHost(ctx: Context): void {
    if (this.endpoint.kind === 'unix') return;
    const name = nameIn(ctx.get('Host'));
    if (isLoopback(name) || name === this.endpoint.host || this.config.names.includes(name)) return;
    throw forbidden(`Host: "${ctx.get('Host')}" is not a name of this console; see its setting "names"`);
  }

  /** Browsers say which page asks whenever a request could change something. */
  #checkOrigin(ctx: Context): void {
    const isRead = ['GET', 'HEAD'].includes(ctx.method) && ctx.state.upgrade === undefined;
    const origin = ctx.get('Origin');
    if (isRead && origin === '') return;
    const host = URL.canParse(origin) ? new URL(origin).host : '';
    if (host !== '' && (host === ctx.get('Host') || this.config.names.includes(nameIn(host)))) return;
    throw forbidden(`Origin: pages of "${origin}" may not use this console`);
  }
}

/** Without the port and the brackets of IPv6. */
const nameIn = (host: string): string => host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
