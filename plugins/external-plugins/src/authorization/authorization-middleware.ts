import { Readable } from 'node:stream';
import { Config, inject, injectable, Logger } from '@gantry/core/driver';
import { forbidden, internal, messageOf } from '@gantry/core/errors';
import type { Context } from '@gantry/core/http';
import type {
  AuthorizationDecision,
  AuthorizationRequest,
  AuthorizationResponse,
  RemoteAuthorization,
} from '@gantry/lib-plugin-protocol';
import type { ExternalPluginsConfig } from '../config.js';
import { AuthorizationPlugins } from './authorization-plugins.js';
import { describeRequest, headersOf } from './describe-request.js';

/**
 * Asks every configured plugin about a request, and about the response before it is sent. A plugin that fails or is
 * unreachable denies. Streams and hijacked connections are being sent when the plugins see the response.
 */
@injectable()
export class AuthorizationMiddleware {
  constructor(
    @inject(Config) private readonly config: ExternalPluginsConfig,
    @inject(AuthorizationPlugins) private readonly plugins: AuthorizationPlugins,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async handle(ctx: Context, next: () => Promise<unknown>): Promise<void> {
    const request = await describeRequest(ctx, this.config.authorizationBodyBytes);
    const { signal } = ctx.state;
    await this.#authorize((plugin) => plugin.authorizeRequest(request, signal));
    ctx.state.reviewers.push((effective) =>
      this.#authorize((plugin) => plugin.authorizeRequest(withBody(request, effective), signal)),
    );
    await next();
    const response = describeResponse(ctx);
    try {
      await this.#authorize((plugin) => plugin.authorizeResponse(request, response));
    } catch (error) {
      if (ctx.body instanceof Readable) ctx.body.destroy();
      if (!isBeingSent(ctx)) throw error;
      const facts = { event: 'authorization.too-late', uri: request.requestUri, error };
      this.log.warn(facts, 'response was denied after it had been sent');
    }
  }

  async #authorize(ask: (plugin: RemoteAuthorization) => Promise<AuthorizationDecision>): Promise<void> {
    for (const name of this.config.authorization) {
      const plugin = this.plugins.get(name);
      if (plugin === undefined) {
        throw internal(`authorization plugin "${name}" is unavailable, so every request is denied`);
      }
      const decision = await ask(plugin).catch((cause: unknown) => {
        throw internal(`plugin ${name} failed with error: ${messageOf(cause)}`, { cause });
      });
      if (!decision.allow) throw forbidden(`authorization denied by plugin ${name}: ${decision.message}`);
    }
  }
}

/** The same request, with another body. */
const withBody = (request: AuthorizationRequest, body: object): AuthorizationRequest => ({
  ...request,
  requestHeaders: { ...request.requestHeaders, 'Content-Type': 'application/json' },
  requestBody: Buffer.from(JSON.stringify(body)),
});

const isBeingSent = (ctx: Context): boolean => ctx.res.headersSent || ctx.state.output?.begun === true;

const empty = Buffer.alloc(0);

/** Serialises the response first, so that plugins see exactly what is sent. */
function describeResponse(ctx: Context): AuthorizationResponse {
  const { res } = ctx;
  const body = isBeingSent(ctx) ? empty : serializeBody(ctx);
  return { status: res.statusCode, headers: headersOf(res.getHeaders()), body };
}

function serializeBody(ctx: Context): Buffer {
  const { res, state } = ctx;
  const body: unknown = state.answer ?? ctx.body;
  if (body === undefined || body === null || body instanceof Readable) return empty;
  const { statusCode } = res;
  const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = Buffer.from(isPlain ? body : `${JSON.stringify(body)}\n`);
  if (!isPlain) res.setHeader('Content-Type', 'application/json');
  state.answer = undefined;
  ctx.body = bytes;
  res.statusCode = statusCode;
  return bytes;
}
