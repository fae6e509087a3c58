import { notImplemented } from '@gantry/core/errors';
import type { ConversionContext } from './conversion-context.js';
import type { Detection, Source } from './source.js';

/**
 * Says what is at a URL. With `source.vcs` only that kind is asked for. Rejects SourceError `refused-address`,
 * `unsupported-url` or `missing-program`, or the signal's reason; a server that does not answer is `found-nothing`.
 */
export async function detectSource(_source: Source, _context: ConversionContext): Promise<Detection> {
  throw notImplemented('not yet');
}
