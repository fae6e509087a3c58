import { invalidArgument } from '@gantry/core/errors';
import { checkNotNegative, checkOneOf } from './check-numbers.js';
import type { UpdateConfig } from './service-spec.js';

/** @throws EngineError `invalid-argument` naming the field. */
export function checkUpdateConfig(field: 'UpdateConfig' | 'RollbackConfig', config: UpdateConfig | undefined): void {
  if (config === undefined) return;
  const actions = field === 'UpdateConfig' ? ['continue', 'pause', 'rollback'] : ['continue', 'pause'];
  checkOneOf(`${field}.FailureAction`, config.FailureAction, actions);
  checkOneOf(`${field}.Order`, config.Order, ['stop-first', 'start-first']);
  checkNotNegative(`${field}.Parallelism`, config.Parallelism);
  checkNotNegative(`${field}.Delay`, config.Delay);
  checkNotNegative(`${field}.Monitor`, config.Monitor);
  const { MaxFailureRatio: ratio = 0 } = config;
  if (ratio < 0 || ratio > 1) throw invalidArgument(`${field}.MaxFailureRatio: ${ratio} must be between 0 and 1`);
}
