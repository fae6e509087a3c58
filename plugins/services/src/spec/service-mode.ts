import type { ServiceSpec } from './service-spec.js';

type ModeName = 'replicated' | 'global' | 'replicated-job' | 'global-job';

export function modeOf({ Mode: mode = {} }: ServiceSpec): ModeName {
  if (mode.Global !== undefined) return 'global';
  if (mode.GlobalJob !== undefined) return 'global-job';
  return mode.ReplicatedJob === undefined ? 'replicated' : 'replicated-job';
}

export const isJob = (spec: ServiceSpec): boolean => modeOf(spec).endsWith('-job');

/** One task per node, whose slots are the nodes. */
export const isGlobal = (spec: ServiceSpec): boolean => modeOf(spec).startsWith('global');

export const replicasOf = ({ Mode: mode }: ServiceSpec): number => mode?.Replicated?.Replicas ?? 1;
