import { notImplemented } from '@gantry/core/errors';
import type { RepositoryOptions } from '../conversion-context.js';
import type { LargeFile } from '../repository-facts.js';

/** Files of any commit of the source larger than `limitBytes`, the largest first. */
export async function largeFilesOf(
  _repository: string,
  _limitBytes: number,
  _options: RepositoryOptions,
): Promise<readonly LargeFile[]> {
  throw notImplemented('not yet');
}
