import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '@gantry/core/contracts';
import type { ConversionSession } from '@gantry/lib-source';
import type { SubversionInfo, Svn } from './svn.js';

const step = 'fetching the Subversion repository';
/** A file with the uuid of the mirrored repository; without it the mirror is incomplete. */
const labelName = 'mirror-of';
/** The share of fetching in the progress. */
const phase = { from: 0, to: 80 };

/**
 * Mirrors a repository with all its revisions on this host, as svn-all-fast-export reads files only. Resumes after the
 * last mirrored revision. @returns the mirror's directory.
 */
export async function mirrorSubversion(
  { sandbox, directory, progress }: ConversionSession,
  svn: Svn,
  { root, uuid, revision }: SubversionInfo,
): Promise<string> {
  const path = join(directory, 'mirror');
  const label = join(directory, labelName);
  const identity = `${uuid}\n`;
  const youngest = async (): Promise<number> => {
    const printed = await sandbox.run(step, { program: 'svnlook', args: ['youngest', path], capture: true });
    return Number(printed.toString('utf8'));
  };
  let last =
    (await readFile(label, 'utf8').catch(() => '')) === identity ? await youngest().catch(ignoreDamage) : undefined;
  if (last === undefined || last > revision) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // The format with the fewest files per revision: half the system calls of the newest one.
    await sandbox.run(step, { program: 'svnadmin', args: ['create', '--compatible-version', '1.5', path] });
    await writeFile(label, identity);
    last = 0;
  }
  if (last >= revision) return path;
  const range = last === 0 ? ['-r', `0:${revision}`] : ['--incremental', '-r', `${last + 1}:${revision}`];
  const onLine = (line: string): void => {
    const [, done] = /^-+ Committed (?:revision|new rev) (\d+)/.exec(line) ?? [];
    if (done !== undefined) progress.advance(Number(done), revision, phase);
  };
  const fetched = sandbox.runPiped(step, [
    svn.call('svnrdump', ['dump', '--quiet', ...range, '--', root], step),
    {
      program: 'svnadmin',
      // Old servers accepted properties that new ones refuse. Data lost in a power failure is fetched again.
      args: ['load', '--bypass-prop-validation', '--no-flush-to-disk', path],
      onLine,
    },
  ]);
  await fetched.catch(async (error: unknown) => {
    if (SourceError.is(error) && error.output.includes('svnadmin: ')) await invalidateMirror(directory);
    throw error;
  });
  return path;
}

/** Makes the next conversion mirror the repository afresh. */
export const invalidateMirror = (directory: string): Promise<void> => rm(join(directory, labelName), { force: true });

/** An incomplete mirror is created again. */
function ignoreDamage(error: unknown): undefined {
  if (SourceError.is(error) && error.failure === 'tool-failed') return undefined;
  throw error;
}
