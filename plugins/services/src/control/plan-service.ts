import { coverNodes } from '../orchestration/cover-nodes.js';
import { orderStarts } from '../orchestration/order-starts.js';
import { reapTasks } from '../orchestration/reap-tasks.js';
import { runGlobalJob, runReplicatedJob } from '../orchestration/run-job.js';
import { scaleService } from '../orchestration/scale-service.js';
import type { ServiceDraft } from '../orchestration/service-draft.js';
import { superviseTasks } from '../orchestration/supervise-tasks.js';
import { rollOut } from '../orchestration/updates/roll-out.js';
import type { ServiceRecord } from '../records/service-record.js';
import { modeOf } from '../spec/service-mode.js';

const plans = {
  replicated: scaleService,
  global: coverNodes,
  'replicated-job': runReplicatedJob,
  'global-job': runGlobalJob,
} satisfies Record<string, (draft: ServiceDraft, service: ServiceRecord) => void>;

/**
 * Brings the tasks of a service one step nearer to what it asks for. Everything it decides by is in the records, so a
 * leader that takes over goes on where the last one stopped; applied to its own result, it changes nothing.
 */
export function planService(draft: ServiceDraft): void {
  const { service } = draft;
  if (service === undefined) {
    for (const task of draft.tasks) if (task.DesiredState !== 'remove') draft.change(task, { DesiredState: 'remove' });
  } else {
    superviseTasks(draft, service);
    plans[modeOf(service.Spec)](draft, service);
    rollOut(draft, service);
    orderStarts(draft);
  }
  reapTasks(draft);
}
