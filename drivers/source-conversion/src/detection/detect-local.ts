import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Job } from '../job.js';
import type { Detection, Vcs } from '../source.js';
import { detectSubversion } from '../subversion/detect-subversion.js';

/** What only a repository of a kind has. */
const marks: readonly (readonly [path: string, vcs: Vcs])[] = [
  ['.hg/requires', 'mercurial'],
  ['.hg/store', 'mercurial'],
  ['.git', 'git'],
  ['objects', 'git'],
];

/** Says what a directory of this host is. */
export async function detectLocal(job: Job): Promise<Detection> {
  const path = fileURLToPath(job.location.url);
  for (const [mark, vcs] of marks) {
    const isThere = await stat(join(path, mark)).then(
      () => true,
      () => false,
    );
    if (isThere && (job.source.vcs ?? vcs) === vcs) return { status: 'found', vcs };
  }
  if ((job.source.vcs ?? 'subversion') === 'subversion') return detectSubversion(job);
  return { status: 'found-nothing', reason: `there is no ${job.source.vcs} repository at ${path}` };
}
