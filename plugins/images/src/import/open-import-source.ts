import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { internal, invalidArgument, messageOf } from '@gantry/core/errors';

/** Opens the URL of an import; the default scheme is HTTP. The caller owns the stream. */
export async function openImportSource(source: string, signal: AbortSignal): Promise<Readable> {
  const url = URL.canParse(source) ? new URL(source) : new URL(`http://${source}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidArgument(`fromSrc: "${source}" is neither - nor an http or https URL`);
  }
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    throw internal(`fromSrc: cannot read ${source}: ${causeOf(error)}`, { cause: error });
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw internal(`fromSrc: ${source} answered ${response.status} ${response.statusText}`);
  }
  return Readable.fromWeb(response.body as ReadableStream);
}

const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
