import { join } from 'node:path/posix';
import type { Svn } from './svn.js';

/** Where in a repository the lines of development are. */
export interface SubversionLayout {
  /** From the root of the repository; empty for the root. */
  readonly folder: string;
  /** Names of the three folders in it as they are written there; undefined: everything in `folder` is one branch. */
  readonly standard: { readonly trunk: string; readonly branches: string; readonly tags: string } | undefined;
}

/** Folders looked into for projects of their own. */
const mostProjects = 200;

/** The layout of a folder by what is directly in it. */
export function layoutOf(folder: string, directories: readonly string[]): SubversionLayout {
  const named = (name: string): string => directories.find((directory) => directory.toLowerCase() === name) ?? name;
  const isStandard = directories.some((directory) => directory.toLowerCase() === 'trunk');
  const standard = { trunk: named('trunk'), branches: named('branches'), tags: named('tags') };
  return { folder, standard: isStandard ? standard : undefined };
}

/** The folder's layout, and where it is not the standard one, the folders directly in it that have that. */
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
  for (const directory of directories.slice(0, mostProjects)) {
    const inside = await svn.list(`${url}/${encodeURIComponent(directory)}`, step).catch((error: unknown) => {
      // Some are for some people only.
      if (error instanceof Error && 'failure' in error && error.failure !== 'auth-failed') throw error;
      return { directories: [] };
    });
    if (layoutOf(join(folder, directory), inside.directories).standard !== undefined) projects.push(directory);
  }
  return { layout, projects, isAll: projects.length === directories.length && files.length === 0 };
}
