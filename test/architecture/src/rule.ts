import type { Tree } from './tree.js';

/** One convention of the project. */
export interface Rule {
  /** The convention, as a sentence. */
  readonly title: string;
  /** Every breach as `place: what is wrong and what to do`; empty when the tree keeps the rule. */
  check(tree: Tree): readonly string[];
}
