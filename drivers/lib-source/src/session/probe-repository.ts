import { type SourceDetection, SourceError } from '@gantry/core/contracts';
import { type HttpResponse, sendRequest } from '../network/http-request.js';
import type { SourceSession } from './source-sessions.js';

/** How much of a response is read to recognize it. */
const prefixLength = 4096;

export interface RepositoryProbe {
  readonly url: URL;
  /** The system's name, for messages: `Git`. */
  readonly system: string;
  /** Recognizes a repository by a response with status 200 and the beginning of its body. */
  readonly matches: (response: HttpResponse, text: string) => boolean;
}

/**
 * Detects a repository by one HTTP request. Rejects SourceError `refused-address`, and `unreachable` unless a redirect
 * led to the unreachable host.
 */
export async function probeRepository(
  { location: { credentials }, context, trust }: SourceSession,
  { url, system, matches }: RepositoryProbe,
): Promise<SourceDetection> {
  let target = url;
  const onRedirect = (next: URL): void => {
    target = next;
  };
  const request = { url, authorities: trust?.certificates, onRedirect, ...credentials };
  const step = `detecting a ${system} repository`;
  const response = await sendRequest(request, context, step).catch((error: unknown) => {
    // The source's own host answered: it may have a repository of another kind.
    if (target.origin !== url.origin && SourceError.is(error) && error.failure === 'unreachable') return error;
    throw error;
  });
  if (SourceError.is(response)) return { status: 'found-nothing', reason: response.message };
  try {
    if (response.status === 401 || response.status === 407) {
      return { status: 'needs-auth', refused: credentials !== undefined };
    }
    if (response.status === 200 && matches(response, await readPrefix(response))) return { status: 'found' };
    return { status: 'found-nothing', reason: `no ${system} repository (HTTP ${response.status})` };
  } finally {
    response.body.destroy();
  }
}

async function readPrefix({ body }: HttpResponse): Promise<string> {
  let text = '';
  for await (const chunk of body as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.length >= prefixLength) break;
  }
  return text;
}
