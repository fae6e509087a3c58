import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { internal, invalidArgument, messageOf } from '@gantry/core/errors';

export interface Download {
  /** The caller's. */
  readonly body: Readable;
  /** When the server says it was changed last. */
  readonly modified: Date | undefined;
}

const mostRedirections = 10;
/** How long a server may say nothing, in ms. */
const longestSilence = 300_000;

/** Opens an http or https URL. Rejects `internal` with what the server or the network said. */
export async function download(source: string, options: { readonly signal: AbortSignal }): Promise<Download> {
  if (!isWebUrl(source)) throw invalidArgument(`"${source}" is not an http or https URL`);
  let url = new URL(source);
  for (let redirections = 0; redirections <= mostRedirections; redirections++) {
    const response = await answerOf(url, options).catch((cause: unknown) => {
      options.signal.throwIfAborted();
      throw internal(`cannot read ${source}: ${messageOf(cause)}`, { cause });
    });
    const { statusCode = 0, statusMessage = '', headers } = response;
    const isRedirection = [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
    if (statusCode >= 200 && statusCode < 300) {
      const modified = Date.parse(headers['last-modified'] ?? '');
      return { body: response, modified: Number.isNaN(modified) ? undefined : new Date(modified) };
    }
    response.destroy();
    if (!isRedirection) throw internal(`${source} answered ${statusCode} ${statusMessage}`.trim());
    const location = headers.location ?? '';
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined || !isWebUrl(next.href)) throw internal(`${source} leads to "${location}"`);
    url = next;
  }
  throw internal(`${source} leads to another place more than ${mostRedirections} times`);
}

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Asks on any port: what browsers must not reach for, an engine may be told to. */
function answerOf(url: URL, { signal }: { readonly signal: AbortSignal }): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? getHttps : getHttp;
    const request = get(url, { signal, agent: false, timeout: longestSilence }, resolve);
    request.on('timeout', () => request.destroy(new Error('the server is silent')));
    request.on('error', reject);
  });
}
