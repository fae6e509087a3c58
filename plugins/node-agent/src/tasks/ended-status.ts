import type { TaskStatus } from '@gantry/services/service';
import type { ContainerFacts } from '../containers/container-facts.js';

/** The state of a task whose container has exited by itself. */
export function endedStatus(facts: Extract<ContainerFacts, { phase: 'exited' }>, timestamp: string): TaskStatus {
  const { error, exitCode, id } = facts;
  const common = { Timestamp: timestamp, ContainerStatus: { ContainerID: id, PID: 0, ExitCode: exitCode } };
  if (exitCode === 0 && error === '') return { ...common, State: 'complete', Message: 'finished' };
  const reason = error === '' ? `task: non-zero exit (${exitCode})` : `task: non-zero exit (${exitCode}): ${error}`;
  return { ...common, State: 'failed', Message: 'started', Err: reason };
}
