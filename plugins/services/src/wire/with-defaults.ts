import { defaultRestartDelay } from '../orchestration/restart-policy.js';
import { isJob } from '../spec/service-mode.js';
import type { ServiceSpec } from '../spec/service-spec.js';

const second = 1_000_000_000;

const updateDefaults = {
  Parallelism: 1,
  FailureAction: 'pause',
  Monitor: 5 * second,
  MaxFailureRatio: 0,
  Order: 'stop-first',
} as const;

/** A specification with the values that count where it has none. */
export function withDefaults(spec: ServiceSpec): ServiceSpec {
  const { TaskTemplate: template = {} } = spec;
  const condition = isJob(spec) ? 'on-failure' : 'any';
  return {
    ...spec,
    TaskTemplate: {
      ...template,
      ContainerSpec: { StopGracePeriod: 10 * second, DNSConfig: {}, ...template.ContainerSpec },
      RestartPolicy: { Condition: condition, Delay: defaultRestartDelay, MaxAttempts: 0, ...template.RestartPolicy },
    },
    UpdateConfig: { ...updateDefaults, ...spec.UpdateConfig },
    RollbackConfig: { ...updateDefaults, ...spec.RollbackConfig },
    EndpointSpec: { Mode: 'vip', ...spec.EndpointSpec },
  };
}
