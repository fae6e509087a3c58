import { posix } from 'node:path';
import type { Rule } from '../rule.js';
import type { SourceFile, Tree } from '../tree.js';

/**
 * Imports between the folders of one package, as folder → folders it imports from. A folder and those inside it are one
 * place: they may import each other.
 */
function folderImports(files: readonly SourceFile[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const from = posix.dirname(file.path);
    for (const { specifier } of file.imports) {
      if (!specifier.startsWith('.')) continue;
      const to = posix.dirname(posix.join(from, specifier));
      if (to.startsWith(from) || from.startsWith(to)) continue;
      graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  return graph;
}

/** One cycle through `start`, as the folders it passes. */
function cycleThrough(start: string, graph: Map<string, Set<string>>): string[] | undefined {
  const seen = new Set<string>();
  const visit = (folder: string, trail: string[]): string[] | undefined => {
    for (const next of graph.get(folder) ?? []) {
      if (next === start) return [...trail, folder];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = visit(next, [...trail, folder]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return visit(start, []);
}

export const foldersImportOneWay: Rule = {
  title: 'the folders of a package import each other in one direction',
  check: ({ packages, sources }: Tree) =>
    packages.flatMap((owner) => {
      const graph = folderImports(sources.filter((file) => file.package === owner && !file.isTest));
      const found = new Map<string, string>();
      for (const folder of graph.keys()) {
        const cycle = cycleThrough(folder, graph);
        if (cycle === undefined) continue;
        const key = [...cycle].sort().join(' ');
        if (!found.has(key)) found.set(key, [...cycle, cycle[0]].join(' -> '));
      }
      return [...found.values()];
    }),
};
