import { plainRefName } from '@gantry/lib-source';
import { isBelow } from './team-foundation-rest.js';

/** A folder that becomes a branch. */
export interface BranchFolder {
  readonly folder: string;
  /** Git's name for the branch. */
  readonly branch: string;
}

/** The branch folders of a project, or the project itself where nothing was ever branched. */
export function branchFoldersOf(project: string, branches: readonly string[]): readonly BranchFolder[] {
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

/** The innermost branch folder that contains a path. */
export function branchFolderOf(folders: readonly BranchFolder[], path: string): BranchFolder | undefined {
  const around = folders.filter(({ folder }) => isBelow(path, folder));
  return around.sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** A path relative to its branch folder. */
export const within = ({ folder }: BranchFolder, path: string): string => path.slice(folder.length + 1);
