import { copyFile, mkdir, open, readdir, rename, rm, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pathExists } from '@gantry/core/driver';
import { EngineError } from '@gantry/core/errors';
import { createRepository } from './create-repository.js';
import { type GitOptions, git } from './git.js';

/**
 * Opens the staging repository of a hosted one, creating it when missing: it shares objects and large files and has its
 * own refs, which readers see after `publishRefs`.
 */
export async function openStaging(hosted: string, options: GitOptions): Promise<string> {
  const staging = path.join(hosted, 'staging');
  if (await pathExists(staging)) return staging;
  const incomplete = path.join(hosted, 'staging.new.git');
  await rm(incomplete, { recursive: true, force: true });
  await createRepository(incomplete, options);
  await rm(path.join(incomplete, 'objects'), { recursive: true });
  await mkdir(path.join(hosted, 'lfs'), { recursive: true });
  await symlink('../objects', path.join(incomplete, 'objects'));
  await symlink('../lfs', path.join(incomplete, 'lfs'));
  await rename(incomplete, staging);
  return staging;
}

/**
 * Replaces branches, tags and HEAD of a hosted repository by those of its staging repository. The refs are one file,
 * replaced atomically: readers see all of the old ones or all of the new ones. There must be no concurrent writer.
 */
export async function publishRefs(hosted: string, options: GitOptions): Promise<void> {
  const staging = path.join(hosted, 'staging');
  const format = '--format=%(objectname) %(refname)%00%(*objectname)';
  const listed = await git(['-C', staging, 'for-each-ref', format, 'refs/heads', 'refs/tags'], options);
  const entries = listed.split('\n').filter((line) => line !== '');
  const lines = entries.map((line) => {
    const [ref = '', peeled = ''] = line.split('\0');
    return peeled === '' ? ref : `${ref}\n^${peeled}`;
  });
  // git locks and replaces this file in the same way.
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

/** Resets the staging refs to those of readers: refs of an interrupted push may point to pruned objects. */
export async function resetStaging(hosted: string): Promise<void> {
  const staging = path.join(hosted, 'staging');
  if (!(await pathExists(staging))) return;
  const published = path.join(hosted, 'packed-refs');
  if (await pathExists(published)) await copyFile(published, path.join(staging, 'packed-refs'));
  await removeLooseRefs(staging);
}

/** A loose ref takes precedence over a packed one. Only an operator's own git creates any. */
async function removeLooseRefs(hosted: string): Promise<void> {
  for (const folder of ['heads', 'tags']) {
    const directory = path.join(hosted, 'refs', folder);
    for (const name of await readdir(directory)) await rm(path.join(directory, name), { recursive: true });
  }
}
