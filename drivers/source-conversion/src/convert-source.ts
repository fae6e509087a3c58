import { notImplemented } from '@gantry/core/errors';
import type { ConvertOptions } from './conversion-context.js';
import type { Source } from './source.js';

/**
 * Imports everything a source holds into a bare repository. Called again after a failure, an abort or the daemon's
 * end with the same scratch and repository it goes on where it can, and begins again cleanly where it cannot; after a
 * success it fetches what is new. Rejects SourceError, or the signal's reason.
 */
export async function convertSource(_source: Source, _options: ConvertOptions): Promise<void> {
  throw notImplemented('not yet');
}
