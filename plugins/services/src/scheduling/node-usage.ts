import type { GenericResource } from '@gantry/cluster/service';
import type { TaskRecord } from '../records/task-record.js';
import { compareStates, isFinal } from '../records/task-state.js';
import { modeOfPort, protocolOf } from '../spec/ports.js';
import { FreeResources } from './generic-resources.js';
import type { SchedulableNode } from './schedulable-node.js';

/** Failures older than this, in milliseconds, do not count against a node. */
const failureMemory = 5 * 60_000;

/** What the tasks on one node take. */
export class NodeUsage {
  nanoCpus = 0;
  memoryBytes = 0;
  tasks = 0;
  readonly #byService = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #hostPorts = new Set<string>();
  /** Generic resources of tasks. */
  readonly #given: GenericResource[] = [];

  tasksOf(serviceId: string): number {
    return this.#byService.get(serviceId) ?? 0;
  }

  /** Recent failures of tasks that were made from the same specification. */
  failuresOf(task: TaskRecord): number {
    return this.#failures.get(specificationOf(task)) ?? 0;
  }

  hasFreePorts(task: TaskRecord): boolean {
    return hostPortsOf(task).every((port) => !this.#hostPorts.has(port));
  }

  freeResources({ Description: description }: SchedulableNode): FreeResources {
    const free = new FreeResources(description?.Resources?.GenericResources ?? []);
    free.take(this.#given);
    return free;
  }

  place(task: TaskRecord): void {
    const { MemoryBytes: memory = 0, NanoCPUs: cpus = 0 } = task.Spec.Resources?.Reservations ?? {};
    this.nanoCpus += cpus;
    this.memoryBytes += memory;
    this.#given.push(...(task.GenericResources ?? []));
    this.tasks++;
    this.#byService.set(task.ServiceID, this.tasksOf(task.ServiceID) + 1);
    for (const port of hostPortsOf(task)) this.#hostPorts.add(port);
  }

  recordFailure(task: TaskRecord): void {
    const key = specificationOf(task);
    this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
  }
}

const specificationOf = (task: TaskRecord): string => `${task.ServiceID} ${task.SpecVersion}`;

const hostPortsOf = (task: TaskRecord): readonly string[] =>
  task.Ports.filter((port) => modeOfPort(port) === 'host' && (port.PublishedPort ?? 0) > 0).map(
    (port) => `${port.PublishedPort}/${protocolOf(port)}`,
  );

/**
 * By node id. A task counts until it has ended, also while it is being stopped; one that is removed or orphaned on a lost
 * node does not.
 */
export function usageOf(tasks: Iterable<TaskRecord>, now: number): Map<string, NodeUsage> {
  const usages = new Map<string, NodeUsage>();
  for (const task of tasks) {
    const { NodeID: nodeId, Status: status } = task;
    if (nodeId === undefined || compareStates(status.State, 'assigned') < 0) continue;
    const hasFailed = status.State === 'failed' || status.State === 'rejected';
    if (isFinal(status.State) && !(hasFailed && now - Date.parse(status.Timestamp) < failureMemory)) continue;
    const usage = usages.get(nodeId) ?? new NodeUsage();
    usages.set(nodeId, usage);
    if (hasFailed) usage.recordFailure(task);
    else usage.place(task);
  }
  return usages;
}
