import { modeOfPort, protocolOf } from '../spec/ports.js';
import { replicasOf } from '../spec/service-mode.js';
import type { EndpointSpec, PortConfig, ServiceSpec, TaskSpec, UpdateConfig } from '../spec/service-spec.js';

type Mode = NonNullable<ServiceSpec['Mode']>;

/** The specification as it is stored: with its mode, and with networks where today's clients look for them. */
export function completeSpec(spec: ServiceSpec): ServiceSpec {
  const { Mode: mode = {}, Networks: networks = [], TaskTemplate: template = {}, ...rest } = spec;
  const { EndpointSpec: endpoint, RollbackConfig: rollback, UpdateConfig: update } = spec;
  return {
    ...rest,
    ...(update !== undefined && { UpdateConfig: completeUpdate(update) }),
    ...(rollback !== undefined && { RollbackConfig: completeUpdate(rollback) }),
    ...(endpoint !== undefined && { EndpointSpec: completeEndpoint(endpoint) }),
    Labels: spec.Labels ?? {},
    TaskTemplate: { ...completeTask(template), ...(networks.length > 0 && { Networks: networks }) },
    Mode: completeMode(spec, mode),
    ...(networks.length > 0 && { Networks: networks }),
  };
}

/** Whether a client leaves a default out or sends back what it is shown of it is no reason to replace a task. */
function completeTask({ ContainerSpec: container, Runtime: _container, ...template }: TaskSpec): TaskSpec {
  const { RestartPolicy: policy } = template;
  const { Isolation: _default, ...rest } = container ?? {};
  return {
    ...template,
    ...(container !== undefined && { ContainerSpec: rest }),
    ...(policy !== undefined && { RestartPolicy: { ...policy, MaxAttempts: policy.MaxAttempts ?? 0 } }),
    ForceUpdate: template.ForceUpdate ?? 0,
  };
}

function completeEndpoint({ Mode: mode, Ports: ports, ...endpoint }: EndpointSpec): EndpointSpec {
  const completePort = (port: PortConfig): PortConfig => ({
    ...port,
    Protocol: protocolOf(port),
    PublishMode: modeOfPort(port),
  });
  return { ...endpoint, Mode: mode || 'vip', ...(ports !== undefined && { Ports: ports.map(completePort) }) };
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
