import type { ChangedTree, PathChange } from '@gantry/core/contracts';
import type { JobContext } from './job-context.js';
import { packDifference, treeChanges } from './tree-difference.js';
import { packUpper, upperChanges } from './upper.js';

/** Packs what a tree changes as an image layer. */
export const packChanges = (tree: ChangedTree, context: JobContext): Promise<undefined> =>
  'upper' in tree ? packUpper(tree, context) : packDifference(tree, context);

/** What a tree changes, in the order of the paths' bytes. */
export const listChanges = (tree: ChangedTree, context: JobContext): Promise<readonly PathChange[]> =>
  'upper' in tree ? upperChanges(tree, context) : treeChanges(tree, context);
