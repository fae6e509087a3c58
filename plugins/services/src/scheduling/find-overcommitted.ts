import type { TaskRecord } from '../records/task-record.js';
import { FreeResources } from './generic-resources.js';
import type { SchedulableNode } from './schedulable-node.js';

/**
 * The tasks on a node for whose reservations it has no room any more, because its resources have shrunk: the oldest tasks
 * stay.
 * @param tasks those on the node that reserve something and are to go on.
 */
export function findOvercommitted(node: SchedulableNode, tasks: readonly TaskRecord[]): readonly TaskRecord[] {
  const resources = node.Description?.Resources;
  // A node that has not described itself yet.
  if (resources === undefined || tasks.length === 0) return [];
  let { MemoryBytes: memory = 0, NanoCPUs: cpus = 0 } = resources;
  const generic = new FreeResources(resources.GenericResources ?? []);
  return [...tasks].sort(byAge).filter(({ GenericResources: given = [], Spec: spec }) => {
    const { MemoryBytes: wantedMemory = 0, NanoCPUs: wantedCpus = 0 } = spec.Resources?.Reservations ?? {};
    if (wantedMemory > memory || wantedCpus > cpus || !generic.has(given)) return true;
    memory -= wantedMemory;
    cpus -= wantedCpus;
    generic.take(given);
    return false;
  });
}

const byAge = (left: TaskRecord, right: TaskRecord): number =>
  left.CreatedAt < right.CreatedAt ? -1 : left.CreatedAt > right.CreatedAt ? 1 : left.ID < right.ID ? -1 : 1;
