import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type GitOptions, git } from './git.js';
import { resetStaging } from './staging.js';

/** More packs than this slow reading down. */
const manyPacks = 8;

/**
 * Removes what a push that was killed left behind: locks, and objects that never came to be. Nobody may be writing
 * to the repository. With many packs it is packed anew, without what nothing refers to any longer; what a reader may
 * still be fetching, that of the last hour, stays.
 */
export async function tidyRepository(repository: string, options: GitOptions = {}): Promise<void> {
  const removals = (await leftOf(repository)).map((each) => rm(each, { recursive: true, force: true }));
  await Promise.all(removals);
  const packs = (await namesIn(path.join(repository, 'objects', 'pack'))).filter((name) => name.endsWith('.pack'));
  if (packs.length <= manyPacks) return;
  await resetStaging(repository);
  // Another time is as good: many packs are slow, not wrong.
  const packing = git(['-C', repository, 'gc', '--quiet', '--cruft', '--prune=1.hour.ago'], options);
  await packing.catch(() => options.signal?.throwIfAborted());
}

async function leftOf(repository: string): Promise<string[]> {
  const top = await namesIn(repository);
  const objects = path.join(repository, 'objects');
  const left = [
    ...top.filter((name) => name.endsWith('.lock')).map((name) => path.join(repository, name)),
    ...(await namesIn(objects))
      .filter((name) => /^(tmp_objdir|incoming)-/.test(name))
      .map((n) => path.join(objects, n)),
  ];
  const pack = path.join(objects, 'pack');
  left.push(...(await namesIn(pack)).filter((name) => name.startsWith('tmp_')).map((name) => path.join(pack, name)));
  const staging = path.join(repository, 'staging');
  left.push(
    ...(await namesIn(staging)).filter((name) => name.endsWith('.lock')).map((name) => path.join(staging, name)),
  );
  for (const refs of [path.join(repository, 'refs'), path.join(staging, 'refs')]) {
    const all = await readdir(refs, { recursive: true }).catch(() => []);
    left.push(...all.filter((name) => name.endsWith('.lock')).map((name) => path.join(refs, name)));
  }
  return left;
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);
