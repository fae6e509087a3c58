import type { ServiceRecord } from '../records/service-record.js';
import type { TaskRecord } from '../records/task-record.js';
import { compareStates } from '../records/task-state.js';
import { isJob, modeOf, replicasOf } from '../spec/service-mode.js';

/** How many tasks a service has, and should have. */
export interface ServiceStatus {
  readonly RunningTasks: number;
  readonly DesiredTasks: number;
  readonly CompletedTasks: number;
}

export function serviceStatus(
  { JobStatus: job, Spec: spec }: ServiceRecord,
  tasks: readonly TaskRecord[],
): ServiceStatus {
  const current = isJob(spec) ? tasks.filter((task) => task.JobIteration === job?.Iteration) : tasks;
  const wanted = current.filter((task) => compareStates(task.DesiredState, 'running') <= 0);
  const running = current.filter(
    ({ DesiredState: desired, Status: status }) => desired === 'running' && status.State === 'running',
  );
  const completed = current.filter(({ Status: status }) => status.State === 'complete');
  return {
    RunningTasks: running.length,
    DesiredTasks: desiredTasks(spec, wanted),
    CompletedTasks: completed.length,
  };
}

/** Of a replicated job as many as run at once, also when it has fewer left to do: as clients of swarms know it. */
function desiredTasks(spec: ServiceRecord['Spec'], wanted: readonly TaskRecord[]): number {
  const mode = modeOf(spec);
  if (mode === 'replicated') return replicasOf(spec);
  if (mode === 'replicated-job') return spec.Mode?.ReplicatedJob?.MaxConcurrent || 1;
  return new Set(wanted.map(({ NodeID: node }) => node)).size;
}
