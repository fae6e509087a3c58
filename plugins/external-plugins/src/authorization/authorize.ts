import { Readable } from 'node:stream';
import type { Logger } from '@gantry/core/driver';
import { forbidden, internal, messageOf } from '@gantry/core/errors';
import type { Context, Middleware } from '@gantry/core/http';
import type { AuthorizationResponse, RemoteAuthorization, Verdict } from '@gantry/lib-plugin-protocol';
import { describeRequest, headersOf } from './describe-request.js';

export interface AuthorizeParts {
  /** Names, in the order they are asked. */
  readonly plugins: readonly string[];
  find(name: string): RemoteAuthorization | undefined;
  /** Most bytes of a JSON body. */
  readonly bodyLimit: number;
  readonly log: Logger;
}

/**
 * Asks every plugin about the request, and about the answer before it leaves. One that fails or is not there refuses.
 * An answer that is sent while it is made (streams, hijacked connections) has left when the plugins hear of it.
 */
export function authorize({ bodyLimit, find, log, plugins }: AuthorizeParts): Middleware {
  return async (ctx, next) => {
    const request = await describeRequest(ctx, bodyLimit);
    const { signal } = ctx.state;
    for (const name of plugins) {
      await demand(name, find, (plugin) => plugin.judgeRequest(request, signal));
    }
    await next();
    const response = describeResponse(ctx);
    try {
      for (const name of plugins) await demand(name, find, (plugin) => plugin.judgeResponse(request, response));
    } catch (error) {
      if (ctx.body instanceof Readable) ctx.body.destroy();
      if (!isOnItsWay(ctx)) throw error;
      const facts = { event: 'authorization.too-late', uri: request.requestUri, reason: messageOf(error) };
      log.warn(facts, 'an answer was refused that had left already');
    }
  };
}

async function demand(
  name: string,
  find: AuthorizeParts['find'],
  ask: (plugin: RemoteAuthorization) => Promise<Verdict>,
): Promise<void> {
  const plugin = find(name);
  if (plugin === undefined) throw internal(`authorization plugin "${name}" is not there, so nothing is allowed`);
  let verdict: Verdict;
  try {
    verdict = await ask(plugin);
  } catch (error) {
    throw internal(`plugin ${name} failed with error: ${messageOf(error)}`, { cause: error });
  }
  if (!verdict.allow) throw forbidden(`authorization denied by plugin ${name}: ${verdict.message}`);
}

const isOnItsWay = (ctx: Context): boolean => ctx.res.headersSent || ctx.state.output?.begun === true;

const nothing = Buffer.alloc(0);

/** Puts the answer into its last form, so that what a plugin has seen is what leaves. */
function describeResponse(ctx: Context): AuthorizationResponse {
  const { res } = ctx;
  const body = isOnItsWay(ctx) ? nothing : settle(ctx);
  return { status: res.statusCode, headers: headersOf(res.getHeaders()), body };
}

function settle(ctx: Context): Buffer {
  const { body, res } = ctx;
  if (body === undefined || body === null || body instanceof Readable) return nothing;
  const { statusCode } = res;
  const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = Buffer.from(isPlain ? body : `${JSON.stringify(body)}\n`);
  if (!isPlain) res.setHeader('Content-Type', 'application/json');
  ctx.body = bytes;
  res.statusCode = statusCode;
  return bytes;
}
