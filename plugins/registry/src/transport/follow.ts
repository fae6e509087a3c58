import type { IncomingMessage } from 'node:http';
import { internal } from '@gantry/core/errors';
import type { Connections } from './connections.js';
import { discard } from './read-body.js';
import { type Outgoing, send } from './send.js';

const redirects = new Set([301, 302, 303, 307, 308]);
const hops = 10;

interface FollowOptions {
  /** Whether a host's certificate counts; a host without one may be sent to over plain HTTP. */
  readonly verify: (host: string) => boolean;
}

/**
 * Sends, and goes where a GET or HEAD is sent on to. Credentials stay with the host they were meant for. Rejects
 * `internal` for a redirect that is none, goes round, or leaves TLS.
 */
export async function follow(
  outgoing: Outgoing,
  connections: Connections,
  options: FollowOptions,
): Promise<IncomingMessage> {
  let { url, headers } = outgoing;
  for (let hop = 0; ; hop += 1) {
    const connection = await connections.to(url, { verify: options.verify(url.host) });
    const response = await send({ ...outgoing, url, headers }, connection);
    const target = response.headers.location;
    const isSentOn = redirects.has(response.statusCode ?? 0) && ['GET', 'HEAD'].includes(outgoing.method);
    if (!isSentOn || target === undefined) return response;
    await discard(response);
    if (hop === hops)
      throw internal(`${outgoing.method} "${outgoing.url.origin}${outgoing.url.pathname}": sent on too often`);
    const next = targetOf(target, url, options);
    if (next.origin !== url.origin) headers = withoutCredentials(headers);
    url = next;
  }
}

function targetOf(location: string, from: URL, options: FollowOptions): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    throw internal(`${from.origin} sends on to an address that is not HTTP`);
  }
  if (from.protocol === 'https:' && target.protocol === 'http:' && options.verify(target.host)) {
    throw internal(`${from.origin} sends on to ${target.origin}, which is not secure`);
  }
  target.username = '';
  target.password = '';
  return target;
}

const withoutCredentials = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)));
