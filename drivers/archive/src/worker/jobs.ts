import type { JobKind, Jobs } from '../pool/jobs.js';
import { assemble } from './assemble.js';
import { copy } from './copy.js';
import { extract } from './extract.js';
import type { JobContext } from './job-context.js';
import { list, resolve } from './list.js';
import { pack, packSelection, stat } from './pack.js';
import { remove, size } from './tree.js';
import { packDifference, treeChanges, treeGrowth } from './tree-difference.js';
import { packUpper, upperChanges } from './upper.js';

/** What does each kind of job. */
export const jobs: {
  readonly [K in JobKind]: (request: Jobs[K]['request'], context: JobContext) => Promise<Jobs[K]['result']>;
} = {
  extract,
  assemble,
  pack,
  'pack-selection': packSelection,
  'pack-upper': packUpper,
  'upper-changes': upperChanges,
  'pack-difference': packDifference,
  'tree-changes': treeChanges,
  'tree-growth': treeGrowth,
  list,
  resolve,
  stat,
  size,
  remove,
  copy,
};
