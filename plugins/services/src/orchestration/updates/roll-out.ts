import type { ServiceRecord } from '../../records/service-record.js';
import { isLive, type TaskRecord } from '../../records/task-record.js';
import { isJob } from '../../spec/service-mode.js';
import { occupiedSlots } from '../occupied-slots.js';
import type { ServiceDraft } from '../service-draft.js';
import { isOutdated } from './is-outdated.js';
import { stopAfterFailures } from './stop-after-failures.js';
import { type UpdatePolicy, updatePolicyOf } from './update-policy.js';
import { updateSlot } from './update-slot.js';

/** Replaces the tasks that were made from an earlier specification, as the service's update configuration says. */
export function rollOut(draft: ServiceDraft, given: ServiceRecord): void {
  if (isJob(given.Spec)) return;
  adoptUnchanged(draft, given);
  const outdated = outdatedSlots(draft, given);
  const service = begin(draft, given, outdated.length);
  if (service === undefined) return;
  if (service !== given) draft.service = service;
  const policy = updatePolicyOf(service);
  const counted = stopAfterFailures(draft, service, policy);
  if (counted === 'stopped') return;
  const busy = busySlots(draft, counted, policy);
  for (const tasks of outdated.slice(0, Math.max(0, policy.parallelism - busy))) {
    updateSlot(draft, counted, tasks, policy.startFirst);
  }
  if (outdated.length === 0 && busy === 0) complete(draft, counted, policy);
}

type Updating = ServiceRecord & Required<Pick<ServiceRecord, 'UpdateStatus' | 'Rollout'>>;

/** The service with the state of its update; undefined when there is none, or it is paused. */
function begin(draft: ServiceDraft, service: ServiceRecord, slots: number): Updating | undefined {
  const { Rollout: rollout, UpdateStatus: status } = service;
  const isUnderWay = status?.State === 'updating' || status?.State === 'rollback_started';
  if (status?.State === 'paused' || status?.State === 'rollback_paused') return undefined;
  if (isUnderWay && rollout !== undefined) return service as Updating;
  if (isUnderWay) return { ...service, UpdateStatus: status, Rollout: { slots, failed: [] } };
  if (slots === 0) return undefined;
  return {
    ...service,
    UpdateStatus: { State: 'updating', StartedAt: draft.now.text, Message: 'update in progress' },
    Rollout: { slots, failed: [] },
  };
}

/** Tasks that the update has no reason to replace are of the current specification from now on. */
function adoptUnchanged(draft: ServiceDraft, service: ServiceRecord): void {
  const { SpecVersion: version } = service;
  for (const task of draft.tasks) {
    if (task.SpecVersion === version || !isLive(task) || isOutdated(draft, service, task)) continue;
    draft.change(task, { SpecVersion: version });
  }
}

/** The tasks of slots whose last one is outdated; slots where nothing runs first, then in their order. */
function outdatedSlots(draft: ServiceDraft, service: ServiceRecord): readonly (readonly TaskRecord[])[] {
  const slots = draft.slots();
  return [...occupiedSlots(draft)]
    .filter(([, newest]) => isOutdated(draft, service, newest))
    .sort(([, left], [, right]) => rankOf(left) - rankOf(right) || (left.Slot ?? 0) - (right.Slot ?? 0))
    .map(([slot]) => slots.get(slot) ?? []);
}

const rankOf = (task: TaskRecord): number => (task.Status.State === 'running' ? 1 : 0);

/** Slots whose updated task does not run yet, or has not for as long as the delay. */
function busySlots(draft: ServiceDraft, service: Updating, { delay }: UpdatePolicy): number {
  let busy = 0;
  for (const [slot, task] of occupiedSlots(draft)) {
    const isUpdated = task.SpecVersion === service.SpecVersion && task.CreatedAt >= service.UpdateStatus.StartedAt;
    if (!isUpdated || service.Rollout.failed.includes(slot) || !isLive(task)) continue;
    const freeAt = task.StartedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(task.StartedAt) + delay;
    if (freeAt <= draft.now.ms) continue;
    busy++;
    draft.wake(freeAt);
  }
  return busy;
}

/** Done, when no task has failed for as long as tasks are monitored. */
function complete(draft: ServiceDraft, service: Updating, { failureAction, monitor }: UpdatePolicy): void {
  const { Rollout: rollout, UpdateStatus: status } = service;
  const updatedAt = rollout.updatedAt ?? draft.now.text;
  const doneAt = Date.parse(updatedAt) + (failureAction === 'continue' || rollout.slots === 0 ? 0 : monitor);
  if (draft.now.ms < doneAt) {
    draft.wake(doneAt);
    if (rollout.updatedAt === undefined) draft.service = { ...service, Rollout: { ...rollout, updatedAt } };
    return;
  }
  const isRollback = status.State === 'rollback_started';
  const { Rollout: _rollout, ...rest } = service;
  draft.service = {
    ...rest,
    UpdateStatus: {
      ...status,
      State: isRollback ? 'rollback_completed' : 'completed',
      CompletedAt: draft.now.text,
      Message: isRollback ? 'rollback completed' : 'update completed',
    },
  };
}
