import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathExists } from '@gantry/core/driver';
import { type GitOptions, git } from './git.js';

/** Creates an empty bare repository with the branch `main`, inaccessible to other users, unless it exists. */
export async function createRepository(directory: string, options: GitOptions): Promise<void> {
  if (await pathExists(directory)) return;
  await mkdir(path.dirname(directory), { recursive: true, mode: 0o700 });
  // Created under another name, so that a crash leaves no incomplete repository under its own.
  const incomplete = `${directory}.new`;
  await rm(incomplete, { recursive: true, force: true });
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', incomplete], options);
  await rename(incomplete, directory);
}
