import { isDeepStrictEqual } from 'node:util';
import type { ServiceRecord } from '../../records/service-record.js';
import { isLive, type TaskRecord } from '../../records/task-record.js';
import { constraintsOf, meetsConstraints } from '../../scheduling/meets-constraints.js';
import type { TaskSpec } from '../../spec/service-spec.js';
import type { ServiceDraft } from '../service-draft.js';

/**
 * Whether an update has to replace a task. Not when only its placement has changed, and its node meets the constraints: then
 * it runs where it may run.
 */
export function isOutdated(draft: ServiceDraft, service: ServiceRecord, task: TaskRecord): boolean {
  const { Ports: ports, Spec: spec, SpecVersion: version } = service;
  if (task.SpecVersion === version) return false;
  if (!isLive(task) || !isDeepStrictEqual(task.Ports, ports)) return true;
  const template = spec.TaskTemplate ?? {};
  if (isDeepStrictEqual(task.Spec, template)) return false;
  if (!isDeepStrictEqual(withoutPlacement(task.Spec), withoutPlacement(template))) return true;
  const node = draft.surroundings.nodes.get(task.NodeID ?? '');
  return node === undefined || !meetsConstraints(node, constraintsOf(template));
}

const withoutPlacement = ({ Placement: _placement, ...rest }: TaskSpec): object => rest;
