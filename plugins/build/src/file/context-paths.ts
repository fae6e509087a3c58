import { cleanPath } from '../ignore/pattern.js';
import type { Instruction, Stage } from './instruction.js';
import { parseGitUrl } from './parse-git-url.js';
import { parseRunMounts } from './parse-run-mounts.js';
import { neededStages } from './wanted-stages.js';

/**
 * The paths of the context that COPY and ADD of the needed stages name; undefined when they may name any, as with
 * variables.
 */
export function contextPaths(stages: readonly Stage[]): readonly string[] | undefined {
  const paths = new Set<string>();
  for (const index of neededStages(stages)) {
    for (const instruction of stages[index]?.instructions ?? []) {
      const { keyword, flags, words, heredocs } = instruction;
      const sources = keyword === 'RUN' ? boundPaths(instruction) : [];
      if ((keyword === 'ADD' || keyword === 'COPY') && !flags.has('from')) sources.push(...words.slice(0, -1));
      for (const word of sources) {
        const isRemote = /^https?:\/\//i.test(word) || (keyword === 'ADD' && parseGitUrl(word) !== undefined);
        if (isRemote || heredocs.some((heredoc) => heredoc.word === word)) continue;
        const path = cleanPath(word);
        if (/[$\\'"`]/.test(word) || path === '' || path === '.' || path.startsWith('..')) return undefined;
        paths.add(path);
      }
    }
  }
  return [...paths].sort();
}

/** What RUN mounts of the context. */
function boundPaths(instruction: Instruction): string[] {
  return parseRunMounts(instruction).flatMap(({ type, from, source }) =>
    type === 'bind' && from === '' ? [source] : [],
  );
}
