import type { Health } from '../health.js';
import type { ContainerState, Run } from '../record.js';
import { isRestarting, lastRun } from '../transitions.js';
import { humanDuration } from './human-duration.js';

/** The status clients list and filter by. A start under way shows as what was before it. */
export function statusOf(state: ContainerState): Exclude<ContainerState['status'], 'starting'> {
  if (state.status !== 'starting') return state.status;
  if (state.isRestart) return 'restarting';
  return state.previous === undefined ? 'created' : 'exited';
}

/** Such as `Up 5 minutes (healthy)` or `Exited (0) 3 seconds ago`. */
export function statusText(state: ContainerState, health: Health | undefined, now: Date): string {
  const since = (time: string): string => humanDuration(now.getTime() - Date.parse(time));
  const ended = (word: string, { exitCode, finishedAt }: Run): string =>
    `${word} (${exitCode}) ${since(finishedAt)} ago`;
  switch (state.status) {
    case 'running':
      return `Up ${since(state.startedAt)}${health === undefined ? '' : ` (${healthText(health)})`}`;
    case 'paused':
      return `Up ${since(state.startedAt)} (Paused)`;
    case 'restarting':
      return ended('Restarting', state.last);
    case 'removing':
      return 'Removal In Progress';
    case 'dead':
      return 'Dead';
    default: {
      const run = lastRun(state);
      return run === undefined ? 'Created' : ended(isRestarting(state) ? 'Restarting' : 'Exited', run);
    }
  }
}

const healthText = ({ status }: Health): string => (status === 'starting' ? 'health: starting' : status);
