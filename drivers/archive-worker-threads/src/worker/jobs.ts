import type { JobKind, Jobs } from '../pool/jobs.js';
import { assemble } from './assemble.js';
import { listChanges, packChanges } from './changes.js';
import { copy } from './copy.js';
import { extract } from './extract.js';
import type { JobContext } from './job-context.js';
import { list, resolve } from './list.js';
import { pack, packSelection, stat } from './pack.js';
import { remove, size } from './tree.js';

/** The function for each kind of job. */
export const jobs: {
  readonly [K in JobKind]: (request: Jobs[K]['request'], context: JobContext) => Promise<Jobs[K]['result']>;
} = {
  extract,
  assemble,
  pack,
  'pack-selection': packSelection,
  'pack-changes': packChanges,
  changes: listChanges,
  list,
  resolve,
  stat,
  size,
  remove,
  copy,
};
