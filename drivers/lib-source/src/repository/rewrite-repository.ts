import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.js';
import type { ToolSandbox } from '../sandbox/tool-sandbox.js';
import type { ExportEdit } from './export-stream.js';
import { lfsEdit, removalEdit } from './large-file-edit.js';
import { largeBlobs } from './large-files-of.js';
import { personMap } from './person-map.js';
import type { AuthorMapping, LargeFileChoice } from './repository-facts.js';
import { originalRefs, replaceRefs } from './repository-refs.js';
import { historyExport, streamHistory } from './stream-history.js';
import { type HostRepositoryOptions, withGit } from './with-git.js';

/** All changes to the converted history. Authors that are not listed keep the source's names. */
export interface Rewrite {
  readonly authors?: readonly AuthorMapping[];
  /** `keep` by default. */
  readonly largeFiles?: LargeFileChoice;
  /** Files with more bytes are large; 100 MB (10^8) by default. */
  readonly limitBytes?: number;
}

const step = 'rewriting the commits';
/** Each rewrite adds a pack; beyond this many the repository is repacked. */
const maxPacks = 20;

/**
 * Rewrites the branches and tags of a converted repository, always from the source's commits, which are kept: an empty
 * rewrite restores them. The refs change in one transaction at the end, and not at all on rejection. Rejects
 * SourceError, or the signal's reason.
 */
export function rewriteRepository(repository: string, rewrite: Rewrite, options: HostRepositoryOptions): Promise<void> {
  return withGit(options, async (git, sandbox) => {
    const originals = await originalRefs(git, step, repository);
    const edit = await editFor(git, sandbox, repository, rewrite);
    const wanted = edit === undefined ? originals : await streamHistory(git, sandbox, repository, edit, step);
    await replaceRefs(git, step, repository, wanted);
    await repackIfFragmented(git, repository);
  });
}

async function editFor(
  git: Git,
  sandbox: ToolSandbox,
  repository: string,
  { authors = [], largeFiles = 'keep', limitBytes = 100_000_000 }: Rewrite,
): Promise<ExportEdit | undefined> {
  const changed = authors.filter((to) => to.name !== to.remoteName || to.email !== to.remoteId);
  const people: ExportEdit = changed.length === 0 ? {} : { person: personMap(changed) };
  const large = largeFiles === 'keep' ? [] : (await largeBlobs(git, sandbox, repository, limitBytes)).keys();
  const oids = new Set(large);
  if (oids.size === 0) return changed.length === 0 ? undefined : people;
  if (largeFiles === 'remove') return { ...people, ...removalEdit(oids) };
  return { ...people, ...(await lfsEdit(git, sandbox, repository, oids, historyExport)) };
}

async function repackIfFragmented(git: Git, repository: string): Promise<void> {
  const packs = (await readdir(join(repository, 'objects', 'pack'))).filter((name) => name.endsWith('.pack'));
  if (packs.length > maxPacks) await git.run(step, repository, ['repack', '-a', '-d', '--quiet']);
}
