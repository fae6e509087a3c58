import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionJob } from '../job.js';
import { SourceError } from '../source-error.js';
import type { SubversionFacts, Svn } from './svn.js';

const step = 'fetching the Subversion repository';
/** Names the repository a mirror is of; without it there is none. */
const labelName = 'mirror-of';
/** What fetching takes of the whole. */
const part = { from: 0, to: 80 };

/**
 * Copies a repository with all its revisions to this host: what converts it reads files. Goes on after the last
 * revision there is. @returns its directory.
 */
export async function mirror(
  { workshop, directory, progress }: ConversionJob,
  svn: Svn,
  { root, uuid, revision }: SubversionFacts,
): Promise<string> {
  const path = join(directory, 'mirror');
  const label = join(directory, labelName);
  const identity = `${uuid}\n`;
  const youngest = async (): Promise<number> => {
    const printed = await workshop.run(step, { program: 'svnlook', args: ['youngest', path], keep: true });
    return Number(printed.toString('utf8'));
  };
  let last =
    (await readFile(label, 'utf8').catch(() => '')) === identity ? await youngest().catch(retryable) : undefined;
  if (last === undefined || last > revision) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // The format with the fewest files to write per revision: half the system calls of the newest one.
    await workshop.run(step, { program: 'svnadmin', args: ['create', '--compatible-version', '1.5', path] });
    await writeFile(label, identity);
    last = 0;
  }
  if (last >= revision) return path;
  const range = last === 0 ? ['-r', `0:${revision}`] : ['--incremental', '-r', `${last + 1}:${revision}`];
  const onLine = (line: string): void => {
    const [, done] = /^-+ Committed (?:revision|new rev) (\d+)/.exec(line) ?? [];
    if (done !== undefined) progress.advance(Number(done), revision, part);
  };
  const fetched = workshop.runPiped(step, [
    svn.call('svnrdump', ['dump', '--quiet', ...range, '--', root], step),
    {
      program: 'svnadmin',
      // Old servers took what new ones refuse. What a power failure takes with it is fetched again.
      args: ['load', '--bypass-prop-validation', '--no-flush-to-disk', path],
      onLine,
    },
  ]);
  await fetched.catch(async (error: unknown) => {
    if (SourceError.is(error) && error.output.includes('svnadmin: ')) await forgetMirror(directory);
    throw error;
  });
  return path;
}

/** The next conversion begins again. */
export const forgetMirror = (directory: string): Promise<void> => rm(join(directory, labelName), { force: true });

/** A mirror that was left half made is made anew. */
function retryable(error: unknown): undefined {
  if (SourceError.is(error) && error.failure === 'tool-failed') return undefined;
  throw error;
}
