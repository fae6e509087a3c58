import type { Rollout, ServiceRecord, UpdateStatus } from '../../records/service-record.js';
import { slotOf, type TaskRecord } from '../../records/task-record.js';
import type { ServiceDraft } from '../service-draft.js';
import { restoreSpec } from './restore-spec.js';
import type { UpdatePolicy } from './update-policy.js';

type Updating = ServiceRecord & { readonly UpdateStatus: UpdateStatus; readonly Rollout: Rollout };

/**
 * Counts the slots whose updated task has ended too early, and pauses the update, or rolls it back, when they are too many.
 * @returns the service with the new count, or that the update has stopped.
 */
export function stopAfterFailures(draft: ServiceDraft, service: Updating, policy: UpdatePolicy): Updating | 'stopped' {
  const failed = draft.tasks.filter((task) => endedEarly(service, task, policy.monitor));
  const fresh = failed.filter((task) => !service.Rollout.failed.includes(slotOf(task)));
  if (fresh.length === 0) return service;
  const slots = new Set([...service.Rollout.failed, ...fresh.map(slotOf)]);
  const counted = { ...service, Rollout: { ...service.Rollout, failed: [...slots] } };
  draft.service = counted;
  const isTolerated = slots.size / Math.max(1, counted.Rollout.slots) <= policy.maxFailureRatio;
  if (policy.failureAction === 'continue' || isTolerated) return counted;
  const reason = `due to failure or early termination of task ${fresh[0]?.ID}`;
  const isRollback = service.UpdateStatus.State === 'rollback_started';
  if (policy.failureAction === 'rollback' && !isRollback && service.Previous !== undefined) {
    draft.service = restoreSpec(counted, service.Previous, draft.now, `update rolled back ${reason}`);
    // The restored specification is rolled out by the next pass.
    draft.wake(draft.now.ms);
  } else {
    draft.service = {
      ...counted,
      UpdateStatus: {
        ...service.UpdateStatus,
        State: isRollback ? 'rollback_paused' : 'paused',
        Message: `${isRollback ? 'rollback' : 'update'} paused ${reason}`,
      },
    };
  }
  return 'stopped';
}

function endedEarly(service: Updating, task: TaskRecord, monitor: number): boolean {
  const { SpecVersion: version, StartedAt: startedAt, Status: status } = task;
  if (version !== service.SpecVersion || task.CreatedAt < service.UpdateStatus.StartedAt) return false;
  if (!['complete', 'failed', 'rejected'].includes(status.State)) return false;
  return startedAt === undefined || Date.parse(status.Timestamp) - Date.parse(startedAt) <= monitor;
}
