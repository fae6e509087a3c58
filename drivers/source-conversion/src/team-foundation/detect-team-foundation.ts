import type { Job } from '../job.js';
import type { Detection } from '../source.js';
import { SourceError } from '../source-error.js';
import { TeamFoundationRest } from './rest.js';

const step = 'detecting a Team Foundation collection';

/** Whether there is a collection, and which of its projects are kept in it. Rejects as other detections do. */
export async function detectTeamFoundation(job: Job): Promise<Detection> {
  const rest = new TeamFoundationRest(job, step);
  try {
    const projects = await projectsOf(rest);
    const { project } = job.source;
    const chosen = project === undefined ? projects[0] : projects.find((name) => isSame(name, project));
    if (chosen !== undefined && (project !== undefined || projects.length === 1)) {
      return { status: 'found', vcs: 'tfvc', project: chosen };
    }
    if (projects.length === 0) return { status: 'found-nothing', reason: 'no project is kept in Team Foundation' };
    const choices = projects.map((name) => ({ vcs: 'tfvc' as const, project: name, humanName: `${name} (tfs)` }));
    return { status: 'found-multiple', choices };
  } catch (error) {
    if (!SourceError.is(error)) throw error;
    if (error.failure === 'auth-needed' || error.failure === 'auth-failed') {
      return { status: 'needs-auth', refused: error.failure === 'auth-failed' };
    }
    if (error.failure !== 'not-a-repository') throw error;
    return { status: 'found-nothing', reason: error.message };
  }
}

/** Projects with a folder in version control; others are kept in Git. */
export async function projectsOf(rest: TeamFoundationRest): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const { name } of await rest.projects()) if (await rest.hasItem(`$/${name}`)) kept.push(name);
  return kept;
}

export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
