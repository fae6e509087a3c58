import type { TaskRecord } from '../records/task-record.js';
import type { RestartPolicy } from '../spec/service-spec.js';
import type { Moment } from './moment.js';

/** Nanoseconds between the end of a task and the start of its replacement, unless the policy says otherwise. */
export const defaultRestartDelay = 5_000_000_000;

export const restartDelayOf = ({ Delay: delay }: RestartPolicy = {}): number => delay ?? defaultRestartDelay;

/** Whether a task that has ended is replaced by its policy. Jobs are never restarted after success. */
export function shouldRestart(task: TaskRecord, now: Moment): boolean {
  const { Condition: condition, MaxAttempts: limit = 0 } = task.Spec.RestartPolicy ?? {};
  if (condition === 'none') return false;
  const onlyFailures = condition === 'on-failure' || task.JobIteration !== undefined;
  if (onlyFailures && task.Status.State === 'complete') return false;
  return limit === 0 || countedRestarts(task, now).length < limit;
}

/** The restarts before this task that the policy counts: those within its window. */
export function countedRestarts(task: TaskRecord, now: Moment): readonly string[] {
  const { MaxAttempts: limit = 0, Window: window = 0 } = task.Spec.RestartPolicy ?? {};
  if (limit === 0) return [];
  const restarts = task.Restarts ?? [];
  return window === 0 ? restarts : restarts.filter((at) => now.ms - Date.parse(at) < window / 1e6);
}
