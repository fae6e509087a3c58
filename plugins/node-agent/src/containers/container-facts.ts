import type { ContainerRecord } from '@gantry/containers/service';
import { isAlive } from '@gantry/containers/service';

/** A task's container, as far as its task is concerned. */
export type ContainerFacts =
  | { readonly phase: 'absent' }
  | { readonly phase: 'created'; readonly id: string }
  | { readonly phase: 'running'; readonly id: string; readonly pid: number; readonly health: Health }
  | { readonly phase: 'exited'; readonly id: string; readonly exitCode: number; readonly error: string };

/** Of a container that is not probed: `none`. */
export type Health = 'none' | 'starting' | 'healthy' | 'unhealthy';

export function factsOf(record: ContainerRecord | undefined, health: Health): ContainerFacts {
  if (record === undefined) return { phase: 'absent' };
  const { id, state } = record;
  if (state.status === 'created' || state.status === 'starting') return { phase: 'created', id };
  if (isAlive(state) && 'pid' in state) return { phase: 'running', id, pid: state.pid, health };
  const last = 'last' in state ? state.last : undefined;
  return { phase: 'exited', id, exitCode: last?.exitCode ?? 0, error: last?.error ?? '' };
}
