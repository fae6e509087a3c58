import type { Readable } from 'node:stream';
import { internal, invalidArgument, kindOf, messageOf } from '@gantry/core/errors';
import { download } from '@gantry/lib-http';

/** Opens the URL of an import; the default scheme is HTTP. The caller owns the stream. */
export async function openImportSource(source: string, signal: AbortSignal): Promise<Readable> {
  const text = URL.canParse(source) ? source : `http://${source}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw invalidArgument(`fromSrc: "${source}" is neither - nor an http or https URL`);
  }
  try {
    return (await download(text, { signal })).body;
  } catch (error) {
    signal.throwIfAborted();
    const make = kindOf(error) === 'invalid-argument' ? invalidArgument : internal;
    throw make(`fromSrc: ${messageOf(error)}`, { cause: error });
  }
}
