import { post, remove } from '../../api/request';

export interface Verb {
  readonly name: string;
  /** How it is reported when it succeeded. */
  readonly done: string;
  readonly path: string;
}

export const verbs = {
  start: { name: 'Start', done: 'Started', path: 'start' },
  stop: { name: 'Stop', done: 'Stopped', path: 'stop' },
  restart: { name: 'Restart', done: 'Restarted', path: 'restart' },
  kill: { name: 'Kill', done: 'Killed', path: 'kill' },
  pause: { name: 'Pause', done: 'Paused', path: 'pause' },
  unpause: { name: 'Unpause', done: 'Unpaused', path: 'unpause' },
} as const satisfies Record<string, Verb>;

export const runVerb = (verb: Verb, id: string): Promise<void> => post(`/containers/${id}/${verb.path}`);

export const removeContainer = (id: string, force: boolean, volumes: boolean): Promise<void> =>
  remove(`/containers/${id}`, { force, v: volumes });
