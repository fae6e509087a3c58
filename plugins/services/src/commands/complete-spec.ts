import { replicasOf } from '../spec/service-mode.js';
import type { ServiceSpec, TaskSpec, UpdateConfig } from '../spec/service-spec.js';

type Mode = NonNullable<ServiceSpec['Mode']>;

/** The specification as it is stored: with its mode, and with networks where today's clients look for them. */
export function completeSpec(spec: ServiceSpec): ServiceSpec {
  const { Mode: mode = {}, Networks: networks = [], TaskTemplate: template = {}, ...rest } = spec;
  const { EndpointSpec: endpoint, RollbackConfig: rollback, UpdateConfig: update } = spec;
  return {
    ...rest,
    ...(update !== undefined && { UpdateConfig: completeUpdate(update) }),
    ...(rollback !== undefined && { RollbackConfig: completeUpdate(rollback) }),
    ...(endpoint !== undefined && { EndpointSpec: { ...endpoint, Mode: endpoint.Mode || 'vip' } }),
    Labels: spec.Labels ?? {},
    TaskTemplate: { ...withoutDefaults(template), ...(networks.length > 0 && { Networks: networks }) },
    Mode: completeMode(spec, mode),
    ...(networks.length > 0 && { Networks: networks }),
  };
}

/** Clients send back what they are shown of them: no reason to replace a task. */
function withoutDefaults({ ContainerSpec: container, Runtime: _container, ...template }: TaskSpec): TaskSpec {
  if (container === undefined) return template;
  const { Isolation: _default, ...rest } = container;
  return { ...template, ContainerSpec: rest };
}

/** Clients leave words empty that they mean the defaults of. */
const completeUpdate = (config: UpdateConfig): UpdateConfig => ({
  ...config,
  Parallelism: config.Parallelism ?? 0,
  FailureAction: config.FailureAction || 'pause',
  Order: config.Order || 'stop-first',
});

/** With the counts that clients rely on. */
function completeMode(spec: ServiceSpec, mode: Mode): Mode {
  if (mode.ReplicatedJob !== undefined) {
    const { MaxConcurrent = 1, TotalCompletions = MaxConcurrent } = mode.ReplicatedJob;
    return { ReplicatedJob: { MaxConcurrent, TotalCompletions } };
  }
  const isReplicated = Object.keys(mode).length === 0 || mode.Replicated !== undefined;
  return isReplicated ? { Replicated: { Replicas: replicasOf(spec) } } : mode;
}
