import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type GitOptions, git } from './git.js';
import { resetStaging } from './staging.js';

/** Beyond this many packs, reading slows down. */
const maxPacks = 8;

/**
 * Removes lock files and temporary objects of a killed push. There must be no concurrent writer. A repository with many
 * packs is repacked without unreachable objects, except those of the last hour, which readers may be fetching.
 */
export async function cleanUpRepository(repository: string, options: GitOptions): Promise<void> {
  const removals = (await orphansOf(repository)).map((each) => rm(each, { recursive: true, force: true }));
  await Promise.all(removals);
  const packs = (await list(path.join(repository, 'objects', 'pack'))).filter((name) => name.endsWith('.pack'));
  if (packs.length <= maxPacks) return;
  await resetStaging(repository);
  // A failure is ignored: the repository is slow, but correct, and the next call tries again.
  const packing = git(['-C', repository, 'gc', '--quiet', '--cruft', '--prune=1.hour.ago'], options);
  await packing.catch(() => options.signal?.throwIfAborted());
}

async function orphansOf(repository: string): Promise<string[]> {
  const top = await list(repository);
  const objects = path.join(repository, 'objects');
  const orphans = [
    ...top.filter((name) => name.endsWith('.lock')).map((name) => path.join(repository, name)),
    ...(await list(objects)).filter((name) => /^(tmp_objdir|incoming)-/.test(name)).map((n) => path.join(objects, n)),
  ];
  const pack = path.join(objects, 'pack');
  orphans.push(...(await list(pack)).filter((name) => name.startsWith('tmp_')).map((name) => path.join(pack, name)));
  const staging = path.join(repository, 'staging');
  orphans.push(
    ...(await list(staging)).filter((name) => name.endsWith('.lock')).map((name) => path.join(staging, name)),
  );
  for (const refs of [path.join(repository, 'refs'), path.join(staging, 'refs')]) {
    const all = await readdir(refs, { recursive: true }).catch(() => []);
    orphans.push(...all.filter((name) => name.endsWith('.lock')).map((name) => path.join(refs, name)));
  }
  return orphans;
}

const list = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);
