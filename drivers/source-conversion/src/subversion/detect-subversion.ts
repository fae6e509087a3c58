import type { Job } from '../job.js';
import type { Detection } from '../source.js';
import { SourceError } from '../source-error.js';
import { findProjects } from './layout.js';
import { Svn } from './svn.js';

const step = 'detecting a Subversion repository';

/** Whether there is a Subversion repository, and how many projects are in it. Rejects SourceError `refused-address`, `unreachable`, `missing-program`. */
export async function detectSubversion(job: Job): Promise<Detection> {
  const svn = await Svn.open(job);
  try {
    const { path } = await svn.facts(step);
    const { project } = job.source;
    if (project !== undefined) return { status: 'found', vcs: 'subversion', project };
    const { projects, isAll } = await findProjects(svn, svn.url, path, step);
    const [first] = projects;
    if (first === undefined) return { status: 'found', vcs: 'subversion' };
    if (projects.length === 1 && isAll) return { status: 'found', vcs: 'subversion', project: first };
    const choices = projects.map((name) => ({ vcs: 'subversion' as const, project: name, humanName: `${name} (svn)` }));
    const everything = { vcs: 'subversion' as const, project: '/', humanName: 'everything, as one branch (svn)' };
    return { status: 'found-multiple', choices: [...choices, everything] };
  } catch (error) {
    if (!SourceError.is(error)) throw error;
    if (error.failure === 'auth-needed' || error.failure === 'auth-failed') {
      return { status: 'needs-auth', refused: error.failure === 'auth-failed' };
    }
    if (!['not-a-repository', 'tool-failed'].includes(error.failure)) throw error;
    return { status: 'found-nothing', reason: error.message };
  }
}
