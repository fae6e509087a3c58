import { type SourceDetection, SourceError } from '@gantry/core/contracts';
import type { SourceSession } from '@gantry/lib-source';
import { TeamFoundationRest } from './team-foundation-rest.js';

const step = 'detecting a Team Foundation collection';

/** Whether there is a collection, and which of its projects use Team Foundation version control. */
export async function detectTeamFoundation(session: SourceSession): Promise<SourceDetection> {
  const rest = new TeamFoundationRest(session, step);
  try {
    const projects = await projectsOf(rest);
    const { project } = session.source;
    const chosen = project === undefined ? projects[0] : projects.find((name) => isSameProject(name, project));
    if (chosen !== undefined && (project !== undefined || projects.length === 1)) {
      return { status: 'found', project: chosen };
    }
    if (projects.length === 0)
      return { status: 'found-nothing', reason: 'no project uses Team Foundation version control' };
    const choices = projects.map((name) => ({ project: name, humanName: `${name} (tfs)` }));
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

/** Projects with a folder in Team Foundation version control; others use Git. */
export async function projectsOf(rest: TeamFoundationRest): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const { name } of await rest.projects()) if (await rest.hasItem(`$/${name}`)) kept.push(name);
  return kept;
}

export const isSameProject = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
