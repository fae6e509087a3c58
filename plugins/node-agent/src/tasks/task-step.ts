import { type AssignedTask, compareStates, isFinal, type TaskState } from '@gantry/services/service';
import type { ContainerFacts } from '../containers/container-facts.js';

/** What is to be done next for a task. */
export type TaskStep =
  | 'create'
  | 'start'
  | 'stop'
  | 'remove'
  | 'report-ready'
  | 'report-running'
  | 'report-ended'
  | 'report-shut-down'
  | 'report-lost'
  | 'report-unhealthy'
  | 'wait';

/**
 * Decides by what is stored and what the engine has, so that an agent that starts again goes on where the last one was
 * killed.
 *
 * @param assignment undefined when the task is not the node's any more.
 * @param reached the last state that was reported.
 */
export function nextStep(
  assignment: AssignedTask | undefined,
  reached: TaskState,
  container: ContainerFacts,
): TaskStep {
  if (assignment === undefined || (isFinal(reached) && assignment.desiredState === 'remove')) {
    if (container.phase === 'running') return 'stop';
    return container.phase === 'absent' && assignment !== undefined ? 'wait' : 'remove';
  }
  if (isFinal(reached)) return container.phase === 'running' ? 'stop' : 'wait';
  if (compareStates(assignment.desiredState, 'running') > 0) {
    return container.phase === 'running' ? 'stop' : 'report-shut-down';
  }
  return advance(assignment, reached, container);
}

function advance({ desiredState }: AssignedTask, reached: TaskState, container: ContainerFacts): TaskStep {
  switch (container.phase) {
    case 'absent':
      return compareStates(reached, 'ready') >= 0 ? 'report-lost' : 'create';
    case 'created':
      if (compareStates(desiredState, 'running') >= 0) return 'start';
      return reached === 'ready' ? 'wait' : 'report-ready';
    case 'running':
      if (container.health === 'unhealthy') return 'report-unhealthy';
      return reached === 'running' || container.health === 'starting' ? 'wait' : 'report-running';
    case 'exited':
      return 'report-ended';
  }
}
