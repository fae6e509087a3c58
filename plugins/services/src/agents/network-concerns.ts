import { nodes } from '@gantry/cluster/service';
import { networkKind } from '@gantry/cluster-networks/service';
import { type ClusterStore, changeOf, type RecordChange } from '@gantry/core/contracts';
import { publishesIngress } from '../endpoints/ingress.js';
import { isServing } from '../endpoints/is-serving.js';
import { isMesh } from '../endpoints/network-state.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import type { TaskRecord } from '../records/task-record.js';
import { isFinal } from '../records/task-state.js';

/** Whom a change of the store concerns, as far as networks go. */
export interface NetworkConcerns {
  readonly all: boolean;
  /** Every node that is on one of these. */
  readonly networks: ReadonlySet<string>;
  /** Every node that is given the meshes of one of these. */
  readonly meshes: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
}

export const allNodes: NetworkConcerns = {
  all: true,
  networks: new Set(),
  meshes: new Set(),
  nodes: new Set(),
};

/** Most changes are states of tasks which make no difference to any network. */
export function concernsOf(store: ClusterStore, changes: readonly RecordChange[]): NetworkConcerns {
  const networks = new Set<string>();
  const meshes = new Set<string>();
  const ids = new Set<string>();
  for (const change of changes) {
    const task = changeOf(taskKind, change);
    const service = changeOf(serviceKind, change);
    const network = changeOf(networkKind, change);
    const node = changeOf(nodes, change);
    if (task !== undefined) {
      const [before, after] = [task.before?.value, task.after?.value];
      const isOfMesh = [before, after].every((version) => version === undefined || isMesh(version));
      addTask(before, after, isOfMesh ? meshes : networks, ids);
    } else if (service !== undefined) {
      const versions = [service.before?.value, service.after?.value];
      if (isSame(versions.map(partOfService))) continue;
      if (versions.some((version) => version !== undefined && publishesIngress(version.Ports))) return allNodes;
      for (const id of versions.flatMap(networksOfService)) networks.add(id);
    } else if (network !== undefined) {
      const versions = [network.before?.value, network.after?.value];
      if (versions.some((version) => version?.attachable || version?.ingress)) return allNodes;
      networks.add(change.id);
    } else if (node !== undefined) {
      const [before, after] = [node.before?.value, node.after?.value];
      const partOf = (value: typeof after) => [
        value?.dataPath ?? value?.status.address,
        value?.description.Hostname,
        value?.keepsClientAddresses,
      ];
      if (isSame([partOf(before), partOf(after)])) continue;
      ids.add(change.id);
      for (const { value } of store.select(taskKind, 'node', change.id)) {
        for (const { NetworkID: id } of value.Addresses ?? []) networks.add(id);
      }
    } else return allNodes; // the keys of encrypted networks
  }
  return { all: false, networks, meshes, nodes: ids };
}

function addTask(
  before: TaskRecord | undefined,
  after: TaskRecord | undefined,
  networks: Set<string>,
  ids: Set<string>,
): void {
  const versions = [before, after];
  if (isSame(versions.map(partOfTask))) return;
  for (const { Addresses: addresses = [], NodeID: nodeId } of versions.filter((task) => task !== undefined)) {
    for (const { NetworkID: id } of addresses) networks.add(id);
    if (addresses.length > 0 && nodeId !== undefined) ids.add(nodeId);
  }
}

/** What of a task is to be seen on its networks; nothing for one that is on none. */
const partOfTask = (task: TaskRecord | undefined) =>
  task?.Addresses === undefined ? [] : [task.NodeID, isFinal(task.Status.State), isServing(task), task.Addresses];

const partOfService = (service: ServiceRecord | undefined) =>
  service === undefined
    ? []
    : [service.Spec.Name, attachmentsOf(service), service.VirtualIPs, publishesIngress(service.Ports) && service.Ports];

const attachmentsOf = ({ Spec: spec }: ServiceRecord) => spec.TaskTemplate?.Networks ?? spec.Networks ?? [];

const networksOfService = (service: ServiceRecord | undefined): readonly string[] =>
  service === undefined
    ? []
    : [
        ...attachmentsOf(service).map(({ Target: target = '' }) => target),
        ...(service.VirtualIPs ?? []).map(({ NetworkID: id }) => id),
      ];

const isSame = ([before, after]: readonly unknown[]): boolean => JSON.stringify(before) === JSON.stringify(after);
