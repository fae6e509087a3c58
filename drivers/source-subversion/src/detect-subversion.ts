import { type SourceDetection, SourceError } from '@gantry/core/contracts';
import type { SourceSession } from '@gantry/lib-source';
import { findProjects } from './subversion-layout.js';
import { Svn } from './svn.js';

const step = 'detecting a Subversion repository';

/** Whether there is a Subversion repository, and which projects it has. */
export async function detectSubversion(session: SourceSession): Promise<SourceDetection> {
  const svn = await Svn.open(session);
  try {
    const { path } = await svn.info(step);
    const { project } = session.source;
    if (project !== undefined) return { status: 'found', project };
    const { projects, isAll } = await findProjects(svn, svn.url, path, step);
    const [first] = projects;
    if (first === undefined) return { status: 'found' };
    if (projects.length === 1 && isAll) return { status: 'found', project: first };
    const choices = projects.map((name) => ({ project: name, humanName: `${name} (svn)` }));
    const everything = { project: '/', humanName: 'everything, as one branch (svn)' };
    return { status: 'found-multiple', choices: [...choices, everything] };
  } catch (error) {
    if (!SourceError.is(error)) throw error;
    // svn reports a refused connection as a repository that is missing.
    const failure = session.proxy.takeFailure();
    if (failure?.failure === 'refused-address') throw failure;
    if (error.failure === 'auth-needed' || error.failure === 'auth-failed') {
      return { status: 'needs-auth', refused: error.failure === 'auth-failed' };
    }
    if (!['not-a-repository', 'tool-failed'].includes(error.failure)) throw error;
    return { status: 'found-nothing', reason: error.message };
  }
}
