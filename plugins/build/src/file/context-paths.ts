import { cleanPath } from '../ignore/pattern.js';
import type { Stage } from './instruction.js';
import { neededStages } from './wanted-stages.js';

/**
 * The paths of the context that COPY and ADD of the needed stages name; undefined when they may name any, as with
 * variables.
 */
export function contextPaths(stages: readonly Stage[]): readonly string[] | undefined {
  const paths = new Set<string>();
  for (const index of neededStages(stages)) {
    for (const { keyword, flags, words } of stages[index]?.instructions ?? []) {
      if ((keyword !== 'ADD' && keyword !== 'COPY') || flags.has('from')) continue;
      for (const word of words.slice(0, -1)) {
        if (/^https?:\/\//i.test(word)) continue;
        const path = cleanPath(word);
        if (/[$\\'"`]/.test(word) || path === '' || path === '.' || path.startsWith('..')) return undefined;
        paths.add(path);
      }
    }
  }
  return [...paths].sort();
}
