import { replicasOf } from '../spec/service-mode.js';
import type { ServiceSpec } from '../spec/service-spec.js';

/** The specification as it is stored: with its mode, and with networks where today's clients look for them. */
export function completeSpec(spec: ServiceSpec): ServiceSpec {
  const { Mode: mode = {}, Networks: networks = [], TaskTemplate: template = {}, ...rest } = spec;
  const isReplicated = Object.keys(mode).length === 0 || mode.Replicated !== undefined;
  return {
    ...rest,
    Labels: spec.Labels ?? {},
    TaskTemplate: { ...template, ...(networks.length > 0 && { Networks: networks }) },
    Mode: isReplicated ? { Replicated: { Replicas: replicasOf(spec) } } : mode,
    ...(networks.length > 0 && { Networks: networks }),
  };
}
