import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryOptions } from '../conversion-context.js';
import type { Git } from '../git/git.js';
import type { AuthorMapping, LargeFileChoice } from '../repository-facts.js';
import type { Workshop } from '../tools/workshop.js';
import type { ExportEdit } from './export-stream.js';
import { lfsEdit, removalEdit } from './large-file-edit.js';
import { largeBlobs } from './large-files-of.js';
import { personMap } from './person-map.js';
import { originalRefs, replaceRefs } from './refs.js';
import { historyExport, streamHistory } from './stream-history.js';
import { withGit } from './with-git.js';

/** Everything that is to differ from what was converted. Whoever is not named keeps the name of the source. */
export interface Rewrite {
  readonly authors?: readonly AuthorMapping[];
  /** `keep` by default. */
  readonly largeFiles?: LargeFileChoice;
  /** From which size on a file is large; 100 MB (100 * 2^20) by default. */
  readonly limitBytes?: number;
}

const step = 'rewriting the commits';
/** Each rewrite leaves a pack; after so many, those nothing points to go. */
const mostPacks = 20;

/**
 * Makes the branches and tags of a converted repository anew from what was converted, which is kept: a rewrite says
 * all that is to differ, and an empty one gives the source's commits back. The refs change in one transaction at the
 * end; on rejection they are what they were. Rejects SourceError, or the signal's reason.
 */
export function rewriteRepository(repository: string, rewrite: Rewrite, options: RepositoryOptions): Promise<void> {
  return withGit(options, async (git, workshop) => {
    const originals = await originalRefs(git, step, repository);
    const edit = await editFor(git, workshop, repository, rewrite);
    const wanted = edit === undefined ? originals : await streamHistory(git, workshop, repository, edit, step);
    await replaceRefs(git, step, repository, wanted);
    await tidy(git, repository);
  });
}

async function editFor(
  git: Git,
  workshop: Workshop,
  repository: string,
  { authors = [], largeFiles = 'keep', limitBytes = 100 * 2 ** 20 }: Rewrite,
): Promise<ExportEdit | undefined> {
  const changed = authors.filter((to) => to.name !== to.remoteName || to.email !== to.remoteId);
  const people: ExportEdit = changed.length === 0 ? {} : { person: personMap(changed) };
  const large = largeFiles === 'keep' ? [] : (await largeBlobs(git, workshop, repository, limitBytes)).keys();
  const oids = new Set(large);
  if (oids.size === 0) return changed.length === 0 ? undefined : people;
  if (largeFiles === 'remove') return { ...people, ...removalEdit(oids) };
  return { ...people, ...(await lfsEdit(git, workshop, repository, oids, historyExport)) };
}

async function tidy(git: Git, repository: string): Promise<void> {
  const packs = (await readdir(join(repository, 'objects', 'pack'))).filter((name) => name.endsWith('.pack'));
  if (packs.length > mostPacks) await git.run(step, repository, ['repack', '-a', '-d', '--quiet']);
}
