import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type GitOptions, git } from './git.js';

/** Makes an empty bare repository with `main` as its branch, closed to other users. Does nothing when there is one. */
export async function createRepository(directory: string, options: GitOptions = {}): Promise<void> {
  if (await exists(directory)) return;
  await mkdir(path.dirname(directory), { recursive: true, mode: 0o700 });
  // Made aside, so that one that is half made is never taken for one.
  const fresh = `${directory}.new`;
  await rm(fresh, { recursive: true, force: true });
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', fresh], options);
  await rename(fresh, directory);
}

const exists = (directory: string): Promise<boolean> =>
  stat(directory).then(
    () => true,
    () => false,
  );
