export { readTree } from './read-tree.js';
export type { Rule } from './rule.js';
export { rules } from './rules.js';
export { Tree } from './tree.js';
