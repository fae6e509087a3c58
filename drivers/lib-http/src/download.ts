import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { internal, invalidArgument, messageOf } from '@gantry/core/errors';
import { sendRequest } from './send-request.js';

export interface Download {
  /** Owned by the caller. */
  readonly body: Readable;
  /** `Last-Modified` of the response. */
  readonly modified: Date | undefined;
}

const maxRedirections = 10;
/** How long a server may send nothing, in milliseconds. */
const idleTimeout = 300_000;

/** Opens an http or https URL. Rejects `internal` with the server's status or the network error. */
export async function download(source: string, options: { readonly signal: AbortSignal }): Promise<Download> {
  if (!isWebUrl(source)) throw invalidArgument(`"${source}" is not an http or https URL`);
  let url = new URL(source);
  for (let redirections = 0; redirections <= maxRedirections; redirections++) {
    const response = await get(url, options).catch((cause: unknown) => {
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
  throw internal(`${source} leads to another place more than ${maxRedirections} times`);
}

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Sends a request to any port; `fetch` refuses some that browsers block. */
function get(url: URL, { signal }: { readonly signal: AbortSignal }): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { signal, agent: false, timeout: idleTimeout }, resolve);
    request.on('timeout', () => request.destroy(new Error('the server timed out')));
    request.on('error', reject);
    request.end();
  });
}
