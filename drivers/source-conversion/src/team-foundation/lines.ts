import { plainRefName } from '../repository/ref-names.js';
import { isBelow } from './rest.js';

/** A line of development: a folder that becomes a branch. */
export interface Line {
  readonly folder: string;
  /** Git's name for the branch. */
  readonly branch: string;
}

/** The lines of a project: its branches, or, where nothing was ever branched, the project itself. */
export function linesOf(project: string, branches: readonly string[]): readonly Line[] {
  const root = `$/${project}`;
  const inside = branches.filter((folder) => isBelow(folder, root));
  if (inside.length === 0) return [{ folder: root, branch: 'master' }];
  const names = inside.map((folder) => plainRefName(folder.slice(folder.lastIndexOf('/') + 1)));
  const main = ['main', 'trunk', 'master', 'dev'].map((name) =>
    names.findIndex((other) => other.toLowerCase() === name),
  );
  const first = main.find((index) => index >= 0) ?? 0;
  return inside.map((folder, index) => {
    const name = names[index] ?? 'branch';
    const isTaken = names.indexOf(name) !== index || name === 'master';
    const path = plainRefName(folder.slice(root.length + 1).replaceAll('/', '-'));
    return { folder, branch: index === first ? 'master' : isTaken ? `branch-${path}` : name };
  });
}

/** The innermost line a path is in. */
export function lineOf(lines: readonly Line[], path: string): Line | undefined {
  const around = lines.filter(({ folder }) => isBelow(path, folder));
  return around.sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** A path within its line. */
export const within = ({ folder }: Line, path: string): string => path.slice(folder.length + 1);
