import { join } from 'node:path/posix';
import type { Svn } from './svn.js';

/** Where a repository has its trunk, branches and tags. */
export interface SubversionLayout {
  /** From the root of the repository; empty for the root. */
  readonly folder: string;
  /** The names of the three folders in their own case; undefined when all of `folder` is one branch. */
  readonly standard: { readonly trunk: string; readonly branches: string; readonly tags: string } | undefined;
}

/** How many folders are searched for projects. */
const maxProjects = 200;

/** The layout of a folder, by the directories in it. */
export function layoutOf(folder: string, directories: readonly string[]): SubversionLayout {
  const named = (name: string): string => directories.find((directory) => directory.toLowerCase() === name) ?? name;
  const isStandard = directories.some((directory) => directory.toLowerCase() === 'trunk');
  const standard = { trunk: named('trunk'), branches: named('branches'), tags: named('tags') };
  return { folder, standard: isStandard ? standard : undefined };
}

/** The folder's layout and, unless it is the standard one, the folders directly below that have it. */
export async function findProjects(
  svn: Svn,
  url: string,
  folder: string,
  step: string,
): Promise<{ readonly layout: SubversionLayout; readonly projects: readonly string[]; readonly isAll: boolean }> {
  const { directories, files } = await svn.list(url, step);
  const layout = layoutOf(folder, directories);
  if (layout.standard !== undefined) return { layout, projects: [], isAll: true };
  const projects: string[] = [];
  for (const directory of directories.slice(0, maxProjects)) {
    const inside = await svn.list(`${url}/${encodeURIComponent(directory)}`, step).catch((error: unknown) => {
      // A folder without read access is no project.
      if (error instanceof Error && 'failure' in error && error.failure !== 'auth-failed') throw error;
      return { directories: [] };
    });
    if (layoutOf(join(folder, directory), inside.directories).standard !== undefined) projects.push(directory);
  }
  return { layout, projects, isAll: projects.length === directories.length && files.length === 0 };
}
