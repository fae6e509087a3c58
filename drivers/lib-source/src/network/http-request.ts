import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { type SourceContext, SourceError } from '@gantry/core/contracts';
import { isAddress, resolveDestination } from './resolve-destination.js';

interface HttpRequest {
  readonly url: URL;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Called before a redirect is followed, with its target. */
  readonly onRedirect?: (url: URL) => void;
  /** Trusted certificates in PEM; those of Node by default. */
  readonly authorities?: string | undefined;
  /** Sent to the URL's own origin, and never to another one that it redirects to. */
  readonly username?: string;
  readonly password?: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** After redirects. */
  readonly url: URL;
  /** The caller reads it to its end or destroys it. */
  readonly body: Readable;
}

const maxRedirects = 5;

/** Sends one HTTP request; the address of every connection is checked first. Rejects SourceError. */
export async function sendRequest(
  httpRequest: HttpRequest,
  context: Pick<SourceContext, 'allowDestination' | 'stallSeconds' | 'signal'>,
  step: string,
): Promise<HttpResponse> {
  const { origin } = httpRequest.url;
  let { url } = httpRequest;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await sendOnce({ ...httpRequest, url }, url.origin === origin, context, step);
    const { statusCode: status = 0, headers } = response;
    if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) {
      return { status, headers, url, body: response };
    }
    response.destroy();
    url = redirected(headers.location, url, step);
    httpRequest.onRedirect?.(url);
  }
  throw new SourceError('unreachable', `${httpRequest.url.host} redirects more than ${maxRedirects} times`, step);
}

function redirected(location: string, from: URL, step: string): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SourceError('refused-address', `${from.host} redirects to an unsupported URL`, step);
  }
  return url;
}

async function sendOnce(
  { url, method = 'GET', headers, body, authorities, username, password }: HttpRequest,
  withCredentials: boolean,
  context: Pick<SourceContext, 'allowDestination' | 'stallSeconds' | 'signal'>,
  step: string,
): Promise<IncomingMessage> {
  const { stallSeconds = 300, signal } = context;
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const address = await resolveDestination(url.hostname, port, context, step);
  const authorization =
    withCredentials && (username !== undefined || password !== undefined)
      ? { authorization: `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}` }
      : {};
  const sent = (isSecure ? requestHttps : requestHttp)({
    host: address,
    port,
    ...(isSecure && !isAddress(url.hostname) && { servername: url.hostname }),
    ...(isSecure && authorities !== undefined && { ca: authorities }),
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      connection: 'close',
      'user-agent': 'gantry',
      ...headers,
      ...authorization,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    ...(signal !== undefined && { signal }),
    timeout: stallSeconds * 1000,
  });
  sent.once('timeout', () => sent.destroy(new Error('no response in time')));
  try {
    const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end(body);
    const [response] = await responded;
    return response;
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SourceError('unreachable', `cannot reach ${url.host}: ${reason}`, step, '', { cause });
  }
}

/** Reads a body as text. Rejects SourceError `too-large` beyond the maximum. */
export async function readText(response: HttpResponse, step: string, maximum = 64 * 2 ** 20): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maximum)
        throw new SourceError('too-large', `${response.url.host} sends more than ${maximum} bytes`, step);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (SourceError.is(cause)) throw cause;
    throw new SourceError('unreachable', `${response.url.host} closed the connection early`, step, '', { cause });
  }
  return Buffer.concat(chunks).toString('utf8');
}
