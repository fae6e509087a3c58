import type { ServiceRecord } from '../../records/service-record.js';
import type { UpdateConfig } from '../../spec/service-spec.js';

/** How an update goes on, with the defaults of the reference. Times are in milliseconds. */
export interface UpdatePolicy {
  /** Slots at once. */
  readonly parallelism: number;
  readonly delay: number;
  readonly failureAction: 'continue' | 'pause' | 'rollback';
  readonly monitor: number;
  readonly maxFailureRatio: number;
  readonly startFirst: boolean;
}

const defaultMonitor = 5_000;

/** The policy of the update, or of the rollback, that a service is in. */
export function updatePolicyOf({ Spec: spec, UpdateStatus: status }: ServiceRecord): UpdatePolicy {
  const isRollback = status?.State === 'rollback_started';
  const config: UpdateConfig | undefined = isRollback ? spec.RollbackConfig : spec.UpdateConfig;
  const {
    Delay: delay = 0,
    FailureAction: action = '',
    MaxFailureRatio: ratio = 0,
    Monitor: monitor = 0,
  } = config ?? {};
  // Without a configuration one slot at a time; a given zero is no limit.
  const parallelism = config === undefined ? 1 : (config.Parallelism ?? 0);
  return {
    parallelism: parallelism === 0 ? Number.POSITIVE_INFINITY : parallelism,
    delay: delay / 1e6,
    failureAction: action === 'continue' || action === 'rollback' ? action : 'pause',
    monitor: monitor === 0 ? defaultMonitor : monitor / 1e6,
    maxFailureRatio: ratio,
    startFirst: config?.Order === 'start-first',
  };
}
