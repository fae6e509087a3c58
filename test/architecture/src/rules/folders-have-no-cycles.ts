import { posix } from 'node:path';
import type { Rule } from '../rule.js';
import type { SourceFile, Tree } from '../tree.js';

/** A file directly under `src/` counts as a folder of its own. */
export const foldersHaveNoCycles: Rule = {
  title: 'folders of a package do not import each other in a circle',
  check: (tree) =>
    tree.packages.flatMap(({ folder }) =>
      cyclesIn(importsBetweenFolders(tree, folder)).map((cycle) => describe(folder, cycle)),
    ),
};

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function importsBetweenFolders({ sources }: Tree, packageFolder: string): Graph {
  const root = `${packageFolder}/src`;
  const graph = new Map<string, Set<string>>();
  for (const file of sources) {
    if (file.isTest || file.package.folder !== packageFolder || !file.path.startsWith(`${root}/`)) continue;
    const from = folderOf(posix.relative(root, file.path));
    const imported = graph.get(from) ?? new Set();
    graph.set(from, imported);
    for (const target of relativeImports(file)) {
      const to = folderOf(posix.relative(root, target));
      if (to !== from) imported.add(to);
    }
  }
  return graph;
}

const relativeImports = ({ path, imports }: SourceFile): readonly string[] =>
  imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts'));

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : path);

/** One cycle for each folder that is on any, each reported once. */
function cyclesIn(graph: Graph): readonly (readonly string[])[] {
  const reported = new Set<string>();
  const cycles: (readonly string[])[] = [];
  for (const start of [...graph.keys()].sort()) {
    if (reported.has(start)) continue;
    const cycle = pathBack(graph, start);
    if (cycle === undefined) continue;
    for (const folder of cycle) reported.add(folder);
    cycles.push(cycle);
  }
  return cycles;
}

/** The shortest way of imports from a folder back to itself. */
function pathBack(graph: Graph, start: string): readonly string[] | undefined {
  const queue: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const next of graph.get(path.at(-1) ?? '') ?? []) {
      if (next === start) return path;
      if (!seen.has(next)) queue.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

const describe = (folder: string, cycle: readonly string[]): string =>
  `${folder}/src: ${[...cycle, cycle[0]].join(' -> ')}: move what both need below them`;
