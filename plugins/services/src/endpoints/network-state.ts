import { clusters, nodes } from '@gantry/cluster/service';
import { networkKind } from '@gantry/cluster-networks/service';
import type { ClusterStore, NetworkTunnel } from '@gantry/core/contracts';
import { withoutPrefix } from '@gantry/lib-network';
import type { NetworkNode, SwarmNetworkState } from '@gantry/networks/service';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { type TaskRecord, taskName } from '../records/task-record.js';
import { meshSandbox } from '../service.js';
import { isServing } from './is-serving.js';

interface Member {
  readonly task: TaskRecord;
  readonly address: string;
}

/** A network, without what each node has of its own. */
export type SharedNetworkState = Omit<SwarmNetworkState, 'revision' | 'tunnel'>;

/**
 * What of a network a node is given. A node of the ingress network with no task on it only sends connections to the tasks of
 * others: it is given no meshes, of which there are as many as nodes.
 */
export type NetworkView = 'complete' | 'without-meshes';

export const viewOf = (store: ClusterStore, nodeId: string, networkId: string): NetworkView =>
  store.get(networkKind, networkId)?.value.ingress === true &&
  store
    .select(taskKind, 'node', nodeId)
    .every(({ value }) => isMesh(value) || !value.Addresses?.some(({ NetworkID: id }) => id === networkId))
    ? 'without-meshes'
    : 'complete';

/** The task is the end of a node in the mesh of published ports. */
export const isMesh = ({ Attachment: attachment }: TaskRecord): boolean => attachment?.ContainerID === meshSandbox.id;

/** A network as the store has it, but for the tunnel of the node that asks and the keys of encrypted networks. */
export function sharedNetworkState(
  store: ClusterStore,
  networkId: string,
  view: NetworkView = 'complete',
): SharedNetworkState {
  const members = membersOf(store, networkId, view);
  return {
    peers: members.map(({ address, task }) => ({
      address,
      macAddress: task.Attachment?.MacAddress ?? macOf(address),
      node: nodeAddress(store, task.NodeID ?? '') ?? '',
    })),
    ...discoveryOf(store, networkId, members),
  };
}

/** The nodes with endpoints on a network, for one of them; none for another node. */
export function nodesOn(store: ClusterStore, nodeId: string, networkId: string): readonly NetworkNode[] {
  const used = new Set(membersOf(store, networkId).map(({ task }) => task.NodeID ?? ''));
  if (!used.has(nodeId)) return [];
  return [...used].sort().map((id) => ({
    name: store.get(nodes, id)?.value.description.Hostname ?? '',
    address: nodeAddress(store, id) ?? '',
  }));
}

/** A node's end of the tunnels of a network; undefined when one of the two is gone. */
export function tunnelOf(store: ClusterStore, nodeId: string, networkId: string): NetworkTunnel | undefined {
  const network = store.get(networkKind, networkId)?.value;
  const address = nodeAddress(store, nodeId);
  const [cluster] = store.list(clusters);
  if (network === undefined || address === undefined || cluster === undefined) return undefined;
  return { id: network.vxlanId, port: cluster.value.dataPathPort, address };
}

/** The tasks with an endpoint on a network, on nodes that are in the swarm, in an order that stays as it is. */
function membersOf(store: ClusterStore, networkId: string, view: NetworkView = 'complete'): readonly Member[] {
  const members = store.select(taskKind, 'network', networkId).flatMap(({ value: task }) => {
    if (view === 'without-meshes' && isMesh(task)) return [];
    const own = task.Addresses?.find(({ NetworkID: id }) => id === networkId);
    if (own === undefined || task.NodeID === undefined || nodeAddress(store, task.NodeID) === undefined) return [];
    return [{ task, address: withoutPrefix(own.Addr) }];
  });
  return members.sort((one, other) => (one.task.ID < other.task.ID ? -1 : 1));
}

/** Names, and the backends of virtual addresses. */
function discoveryOf(
  store: ClusterStore,
  networkId: string,
  members: readonly Member[],
): Pick<SwarmNetworkState, 'names' | 'services'> {
  const names = new Map<string, string[]>();
  const add = (name: string, addresses: readonly string[]): void => {
    const key = name.toLowerCase();
    const known = names.get(key);
    if (known === undefined) names.set(key, [...addresses]);
    else known.push(...addresses);
  };
  for (const { address, task } of members) {
    const { Attachment: attachment } = task;
    if (attachment === undefined) add(taskName(task), [address]);
    else for (const name of [attachment.ContainerName, ...attachment.Aliases]) add(name, [address]);
  }
  const byService = new Map<string, Member[]>();
  for (const member of members) {
    const known = byService.get(member.task.ServiceID);
    if (known === undefined) byService.set(member.task.ServiceID, [member]);
    else known.push(member);
  }
  const services: { readonly address: string; readonly backends: readonly string[] }[] = [];
  for (const { id, value: service } of store.list(serviceKind)) {
    const attachments = service.Spec.TaskTemplate?.Networks ?? service.Spec.Networks ?? [];
    const attachment = attachments.find(({ Target: target }) => target === networkId);
    if (attachment === undefined) continue;
    const serving = (byService.get(id) ?? []).filter(({ task }) => isServing(task)).map(({ address }) => address);
    const virtual = service.VirtualIPs?.find(({ NetworkID: network }) => network === networkId)?.Addr;
    const answer = virtual === undefined ? serving : [withoutPrefix(virtual)];
    for (const name of new Set([service.Spec.Name ?? '', ...(attachment.Aliases ?? [])])) {
      add(name, answer);
      add(`tasks.${name}`, serving);
    }
    if (virtual !== undefined) services.push({ address: withoutPrefix(virtual), backends: serving });
  }
  return { names, services };
}

function nodeAddress(store: ClusterStore, nodeId: string): string | undefined {
  const node = store.get(nodes, nodeId)?.value;
  return node?.dataPath ?? node?.status.address;
}

/** As drivers derive it from the address. */
const macOf = (address: string): string =>
  ['02', '42', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
