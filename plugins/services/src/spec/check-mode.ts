import { invalidArgument } from '@gantry/core/errors';
import { checkNotNegative } from './check-numbers.js';
import { isJob, modeOf } from './service-mode.js';
import type { ServiceSpec } from './service-spec.js';

/** @throws EngineError `invalid-argument` naming the field. */
export function checkMode(spec: ServiceSpec): void {
  const { Mode: mode = {} } = spec;
  const given = Object.keys(mode);
  if (given.length > 1) throw invalidArgument(`Mode: must specify only one mode, not ${given.join(' and ')}`);
  checkNotNegative('Mode.Replicated.Replicas', mode.Replicated?.Replicas);
  checkNotNegative('Mode.ReplicatedJob.MaxConcurrent', mode.ReplicatedJob?.MaxConcurrent);
  checkNotNegative('Mode.ReplicatedJob.TotalCompletions', mode.ReplicatedJob?.TotalCompletions);
  if (!isJob(spec)) return;
  if (spec.UpdateConfig !== undefined)
    throw invalidArgument(`UpdateConfig: an update config is not allowed on mode ${modeOf(spec)}`);
  if (spec.RollbackConfig !== undefined)
    throw invalidArgument(`RollbackConfig: a rollback config is not allowed on mode ${modeOf(spec)}`);
}
