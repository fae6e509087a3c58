import { notImplemented } from '@gantry/core/errors';
import type { RepositoryOptions } from '../conversion-context.js';

export interface PushOptions extends RepositoryOptions {
  /** 0 to 100: what the push reports while it writes objects. Never falling within one call. */
  readonly onProgress?: (percent: number) => void;
}

/**
 * Makes another bare repository on this host (made when it is missing) hold the branches, tags, HEAD and LFS objects
 * of a converted one: what is missing is written, then all refs change in one transaction, and branches and tags the
 * converted one does not have are removed. No hook of either runs. Rejects SourceError, or the signal's reason.
 */
export async function pushRepository(_repository: string, _target: string, _options: PushOptions): Promise<void> {
  throw notImplemented('not yet');
}
