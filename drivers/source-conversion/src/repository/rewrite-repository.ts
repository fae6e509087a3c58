import { notImplemented } from '@gantry/core/errors';
import type { RepositoryOptions } from '../conversion-context.js';
import type { AuthorMapping, LargeFileChoice } from '../repository-facts.js';

/** Everything that is to differ from what was converted. Whoever is not named keeps the name of the source. */
export interface Rewrite {
  readonly authors?: readonly AuthorMapping[];
  /** `keep` by default. */
  readonly largeFiles?: LargeFileChoice;
  /** From which size on a file is large; 100 MB (100 * 2^20) by default. */
  readonly limitBytes?: number;
}

/**
 * Makes the branches and tags of a converted repository anew from what was converted, which is kept: a rewrite says
 * all that is to differ, and an empty one gives the source's commits back. The refs change in one transaction at the
 * end; on rejection they are what they were. Rejects SourceError, or the signal's reason.
 */
export async function rewriteRepository(
  _repository: string,
  _rewrite: Rewrite,
  _options: RepositoryOptions,
): Promise<void> {
  throw notImplemented('not yet');
}
