import { SourceError } from '../source-error.js';

/** Debian's package for each program that is started. */
const packages: Readonly<Record<string, string>> = {
  git: 'git',
  'git-lfs': 'git-lfs',
  hg: 'mercurial',
  'hg-git': 'mercurial-git',
  svn: 'subversion',
  svnadmin: 'subversion',
  svnlook: 'subversion',
  svnrdump: 'subversion',
  'svn-all-fast-export': 'svn-all-fast-export',
};

export function missingProgram(program: string, step: string, cause?: unknown): SourceError {
  const words = `${program} is not installed on this host (package ${packages[program] ?? program})`;
  return new SourceError('missing-program', words, step, '', { cause });
}
