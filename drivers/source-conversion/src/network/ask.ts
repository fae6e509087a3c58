import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import type { ConversionContext } from '../conversion-context.js';
import { SourceError } from '../source-error.js';
import { isAddress, resolveDestination } from './destinations.js';

export interface Question {
  readonly url: URL;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Told where the answer is to be had instead, before that is asked. */
  readonly onRedirect?: (url: URL) => void;
  /** In PEM; those that Node trusts by default. */
  readonly authorities?: string | undefined;
  /** Given to the URL's own origin, and to no other that it redirects to. */
  readonly username?: string;
  readonly password?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Where it came from in the end. */
  readonly url: URL;
  /** The asker's, to read to its end or to destroy. */
  readonly body: Readable;
}

const most = 5;

/** One HTTP request, with every connection it leads to checked first. Rejects SourceError. */
export async function ask(
  question: Question,
  context: Pick<ConversionContext, 'allowDestination' | 'stallSeconds' | 'signal'>,
  step: string,
): Promise<Answer> {
  const { origin } = question.url;
  let { url } = question;
  for (let redirects = 0; redirects <= most; redirects += 1) {
    const response = await askOnce({ ...question, url }, url.origin === origin, context, step);
    const { statusCode: status = 0, headers } = response;
    if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) {
      return { status, headers, url, body: response };
    }
    response.destroy();
    url = redirected(headers.location, url, step);
    question.onRedirect?.(url);
  }
  throw new SourceError('unreachable', `${question.url.host} redirects more than ${most} times`, step);
}

function redirected(location: string, from: URL, step: string): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SourceError('refused-address', `${from.host} redirects to something that is not fetched from`, step);
  }
  return url;
}

async function askOnce(
  { url, method = 'GET', headers, body, authorities, username, password }: Question,
  withCredentials: boolean,
  context: Pick<ConversionContext, 'allowDestination' | 'stallSeconds' | 'signal'>,
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
  const asked = (isSecure ? requestHttps : requestHttp)({
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
  asked.once('timeout', () => asked.destroy(new Error('it fell silent')));
  try {
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    asked.end(body);
    const [response] = await answered;
    return response;
  } catch (cause) {
    signal?.throwIfAborted();
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new SourceError('unreachable', `cannot ask ${url.host}: ${words}`, step, '', { cause });
  }
}

/** The whole of a body as text. Rejects SourceError when it is longer than a server has reason to send. */
export async function textOf(answer: Answer, step: string, maximum = 64 * 2 ** 20): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maximum) throw new SourceError('too-large', `${answer.url.host} sends more than it should`, step);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (SourceError.is(cause)) throw cause;
    throw new SourceError('unreachable', `${answer.url.host} broke off`, step, '', { cause });
  }
  return Buffer.concat(chunks).toString('utf8');
}
