import { ClusterService, nodes } from '@gantry/cluster/service';
import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { Filters } from '@gantry/core/http';
import { findService } from '../commands/find-service.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { type TaskRecord, taskName } from '../records/task-record.js';
import { shownState, toTask } from '../wire/to-task.js';

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
    for (const service of filters.get('service')) findService(store, service);
    for (const node of filters.get('node')) checkNode(store, node);
    const isCurrent = filters.boolean('_up-to-date') ?? filters.boolean('up-to-date');
    return store
      .list(taskKind)
      .filter((record) => isListed(store, record) && matches(store, record, filters))
      .filter(({ value }) => isCurrent === undefined || isCurrent === isUpToDate(store, value))
      .map((record) => toTask(store, record));
  }
}

/** @throws EngineError `not-found`. */
function checkNode(store: ClusterStore, reference: string): void {
  const isMeant = ({ id, value }: ClusterRecord<{ readonly description: { readonly Hostname?: string } }>): boolean =>
    id.startsWith(reference) || value.description.Hostname === reference;
  if (reference === '' || !store.list(nodes).some(isMeant)) throw notFound(`node ${reference} not found`);
}

/** The tasks of a removed service are there until their containers are gone, and not shown. */
const isListed = (store: ClusterStore, { value }: ClusterRecord<TaskRecord>): boolean =>
  store.get(serviceKind, value.ServiceID) !== undefined;

const isUpToDate = (store: ClusterStore, task: TaskRecord): boolean =>
  store.get(serviceKind, task.ServiceID)?.value.SpecVersion === task.SpecVersion;

function matches(store: ClusterStore, { id, value: task }: ClusterRecord<TaskRecord>, filters: Filters): boolean {
  const labels = { ...task.Spec.ContainerSpec?.Labels, ...task.ServiceLabels };
  return (
    filters.matchesId(id) &&
    filters.some('name', (prefix) => taskName(task).startsWith(prefix)) &&
    filters.some('service', (service) => isService(store, task, service)) &&
    filters.some('node', (node) => isOnNode(store, task, node)) &&
    filters.some('runtime', (runtime) => runtime === 'container') &&
    filters.matches('desired-state', shownState(task)) &&
    filters.matchesLabels(labels)
  );
}

const isService = (store: ClusterStore, task: TaskRecord, reference: string): boolean =>
  task.ServiceID.startsWith(reference) || store.get(serviceKind, task.ServiceID)?.value.Spec.Name === reference;

function isOnNode(store: ClusterStore, { NodeID: nodeId }: TaskRecord, reference: string): boolean {
  if (nodeId === undefined || reference === '') return false;
  return nodeId.startsWith(reference) || store.get(nodes, nodeId)?.value.description.Hostname === reference;
}
