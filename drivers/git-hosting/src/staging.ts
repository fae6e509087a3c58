import { copyFile, mkdir, open, readdir, rename, rm, stat, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { EngineError } from '@gantry/core/errors';
import { createRepository } from './create-repository.js';
import { type GitOptions, git } from './git.js';

/**
 * A second repository with the objects and large files of a hosted one and branches of its own: what is pushed to it
 * is seen by nobody before `publishRefs`. The same one at every call. It has no place of its own to go to: removing the
 * hosted one with everything in its directory removes it.
 */
export async function stagingOf(hosted: string, options: GitOptions = {}): Promise<string> {
  const staging = path.join(hosted, 'staging');
  if (await exists(staging)) return staging;
  const fresh = path.join(hosted, 'staging.new.git');
  await rm(fresh, { recursive: true, force: true });
  await createRepository(fresh, options);
  await rm(path.join(fresh, 'objects'), { recursive: true });
  await mkdir(path.join(hosted, 'lfs'), { recursive: true });
  await symlink('../objects', path.join(fresh, 'objects'));
  await symlink('../lfs', path.join(fresh, 'lfs'));
  await rename(fresh, staging);
  return staging;
}

/**
 * Gives a hosted repository the branches, tags and HEAD of its staging: readers find all of the old ones or all of the
 * new ones, for they are one file that is replaced. Nobody else may be changing it.
 */
export async function publishRefs(hosted: string, options: GitOptions = {}): Promise<void> {
  const staging = path.join(hosted, 'staging');
  const format = '--format=%(objectname) %(refname)%00%(*objectname)';
  const listed = await git(['-C', staging, 'for-each-ref', format, 'refs/heads', 'refs/tags'], options);
  const entries = listed.split('\n').filter((line) => line !== '');
  const lines = entries.map((line) => {
    const [ref = '', peeled = ''] = line.split('\0');
    return peeled === '' ? ref : `${ref}\n^${peeled}`;
  });
  // Git's own way of locking and replacing this file.
  const file = path.join(hosted, 'packed-refs');
  const lock = await open(`${file}.lock`, 'wx', 0o600);
  try {
    await lock.writeFile(`# pack-refs with: peeled fully-peeled sorted \n${lines.map((line) => `${line}\n`).join('')}`);
    await lock.sync();
  } catch (error) {
    await unlink(`${file}.lock`);
    throw new EngineError('unavailable', `cannot write ${file}`, { cause: error });
  } finally {
    await lock.close();
  }
  await rename(`${file}.lock`, file);
  await removeLooseRefs(hosted);
  const head = await git(['-C', staging, 'symbolic-ref', 'HEAD'], options);
  await git(['-C', hosted, 'symbolic-ref', 'HEAD', head.trim()], options);
}

/** Gives staging the refs that readers see: what an interrupted push put there may refer to objects that go. */
export async function resetStaging(hosted: string): Promise<void> {
  const staging = path.join(hosted, 'staging');
  if (!(await exists(staging))) return;
  const published = path.join(hosted, 'packed-refs');
  if (await exists(published)) await copyFile(published, path.join(staging, 'packed-refs'));
  await removeLooseRefs(staging);
}

/** A ref in a file of its own would come before the one in the list. Nobody but an operator's own git makes one. */
async function removeLooseRefs(hosted: string): Promise<void> {
  for (const folder of ['heads', 'tags']) {
    const directory = path.join(hosted, 'refs', folder);
    for (const name of await readdir(directory)) await rm(path.join(directory, name), { recursive: true });
  }
}

const exists = (directory: string): Promise<boolean> =>
  stat(directory).then(
    () => true,
    () => false,
  );
