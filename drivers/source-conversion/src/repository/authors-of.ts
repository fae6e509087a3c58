import { notImplemented } from '@gantry/core/errors';
import type { RepositoryOptions } from '../conversion-context.js';
import type { SourceAuthor } from '../repository-facts.js';

/** Everybody who wrote commits of the source, as converted and before any mapping, by their first commit. */
export async function authorsOf(_repository: string, _options: RepositoryOptions): Promise<readonly SourceAuthor[]> {
  throw notImplemented('not yet');
}
