import { SourceError } from '@gantry/core/contracts';

/** Debian's package for each program that drivers run. */
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

/** The error for a program that is not installed, with the package to install. */
export function missingProgram(program: string, step: string, cause?: unknown): SourceError {
  const message = `${program} is not installed on this host (package ${packages[program] ?? program})`;
  return new SourceError('missing-program', message, step, '', { cause });
}
