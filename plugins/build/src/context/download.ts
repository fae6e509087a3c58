import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { internal, invalidArgument, messageOf } from '@gantry/core/errors';

export interface Download {
  /** The caller's. */
  readonly body: Readable;
  /** When the server says it was changed last. */
  readonly modified: Date | undefined;
}

/** Opens an http or https URL. Rejects `internal` with what the server or the network said. */
export async function download(source: string, options: { readonly signal: AbortSignal }): Promise<Download> {
  if (!URL.canParse(source) || !/^https?:$/.test(new URL(source).protocol)) {
    throw invalidArgument(`"${source}" is not an http or https URL`);
  }
  let response: Response;
  try {
    response = await fetch(source, options);
  } catch (error) {
    options.signal.throwIfAborted();
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw internal(`cannot read ${source}: ${messageOf(cause)}`, { cause: error });
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw internal(`${source} answered ${response.status} ${response.statusText}`.trim());
  }
  const modified = Date.parse(response.headers.get('last-modified') ?? '');
  return {
    body: Readable.fromWeb(response.body as ReadableStream),
    modified: Number.isNaN(modified) ? undefined : new Date(modified),
  };
}
