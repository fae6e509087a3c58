import { replicasOf } from '../spec/service-mode.js';
import type { ServiceSpec, TaskSpec } from '../spec/service-spec.js';

type Mode = NonNullable<ServiceSpec['Mode']>;

/** The specification as it is stored: with its mode, and with networks where today's clients look for them. */
export function completeSpec(spec: ServiceSpec): ServiceSpec {
  const { Mode: mode = {}, Networks: networks = [], TaskTemplate: template = {}, ...rest } = spec;
  return {
    ...rest,
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

/** With the counts that clients rely on. */
function completeMode(spec: ServiceSpec, mode: Mode): Mode {
  if (mode.ReplicatedJob !== undefined) {
    const { MaxConcurrent = 1, TotalCompletions = MaxConcurrent } = mode.ReplicatedJob;
    return { ReplicatedJob: { MaxConcurrent, TotalCompletions } };
  }
  const isReplicated = Object.keys(mode).length === 0 || mode.Replicated !== undefined;
  return isReplicated ? { Replicated: { Replicas: replicasOf(spec) } } : mode;
}
