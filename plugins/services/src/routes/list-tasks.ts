import { ClusterService, nodes } from '@gantry/cluster/service';
import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import type { Filters } from '@gantry/core/http';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { type TaskRecord, taskName } from '../records/task-record.js';
import { toTask } from '../wire/to-task.js';

export const taskFilters = [
  'desired-state',
  'id',
  'label',
  'name',
  'node',
  'runtime',
  'service',
  'up-to-date',
  '_up-to-date',
] as const;

/** Spec: GET /tasks. */
@injectable()
export class ListTasks {
  constructor(@inject(ClusterService.token) private readonly cluster: ClusterService) {}

  async list(filters: Filters): Promise<readonly object[]> {
    const { store } = await this.cluster.manager();
    filters.oneOf('desired-state', ['running', 'shutdown', 'accepted']);
    filters.oneOf('runtime', ['container', 'plugin']);
    const isCurrent = filters.boolean('_up-to-date') ?? filters.boolean('up-to-date');
    return store
      .list(taskKind)
      .filter((record) => isListed(store, record) && matches(store, record, filters))
      .filter(({ value }) => isCurrent === undefined || isCurrent === isUpToDate(store, value))
      .map(toTask);
  }
}

/** The tasks of a removed service are there until their containers are gone, and not shown. */
const isListed = (store: ClusterStore, { value }: ClusterRecord<TaskRecord>): boolean =>
  store.get(serviceKind, value.ServiceID) !== undefined;

const isUpToDate = (store: ClusterStore, task: TaskRecord): boolean =>
  store.get(serviceKind, task.ServiceID)?.value.SpecVersion === task.SpecVersion;

function matches(store: ClusterStore, { id, value: task }: ClusterRecord<TaskRecord>, filters: Filters): boolean {
  const labels = { ...task.Spec.ContainerSpec?.Labels, ...task.ServiceLabels };
  return (
    filters.some('id', (prefix) => id.startsWith(prefix)) &&
    filters.some('name', (prefix) => taskName(task).startsWith(prefix)) &&
    filters.some('service', (service) => isService(store, task, service)) &&
    filters.some('node', (node) => isOnNode(store, task, node)) &&
    filters.some('runtime', (runtime) => runtime === 'container') &&
    filters.matches('desired-state', task.DesiredState) &&
    filters.matchesLabels(labels)
  );
}

const isService = (store: ClusterStore, task: TaskRecord, reference: string): boolean =>
  task.ServiceID.startsWith(reference) || store.get(serviceKind, task.ServiceID)?.value.Spec.Name === reference;

function isOnNode(store: ClusterStore, { NodeID: nodeId }: TaskRecord, reference: string): boolean {
  if (nodeId === undefined || reference === '') return false;
  return nodeId.startsWith(reference) || store.get(nodes, nodeId)?.value.description.Hostname === reference;
}
