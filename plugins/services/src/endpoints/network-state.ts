import { clusters, nodes } from '@gantry/cluster/service';
import { networkKind } from '@gantry/cluster-networks/service';
import type { ClusterStore, NetworkTunnel } from '@gantry/core/contracts';
import { withoutPrefix } from '@gantry/lib-network';
import type { SwarmNetworkState } from '@gantry/networks/service';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { type TaskRecord, taskName } from '../records/task-record.js';
import { isFinal } from '../records/task-state.js';
import { isServing } from './is-serving.js';

interface Member {
  readonly task: TaskRecord;
  readonly address: string;
}

/** A network as the store has it, for one node: undefined when it or the node is gone. */
export function networkState(store: ClusterStore, nodeId: string, networkId: string): SwarmNetworkState | undefined {
  const tunnel = tunnelOf(store, nodeId, networkId);
  if (tunnel === undefined) return undefined;
  const members = membersOf(store, networkId);
  const used = new Set(members.map(({ task }) => task.NodeID ?? ''));
  return {
    revision: store.revision,
    tunnel,
    peers: members.map(({ address, task }) => ({
      address,
      macAddress: task.Attachment?.MacAddress ?? macOf(address),
      node: nodeAddress(store, task.NodeID ?? '') ?? '',
    })),
    nodes: store
      .list(nodes)
      .filter(({ id }) => used.has(id))
      .map(({ id, value }) => ({ name: value.description.Hostname, address: nodeAddress(store, id) ?? '' })),
    ...discoveryOf(store, networkId, members),
  };
}

/** A node's end of the tunnels of a network; undefined when one of the two is gone. */
export function tunnelOf(store: ClusterStore, nodeId: string, networkId: string): NetworkTunnel | undefined {
  const network = store.get(networkKind, networkId)?.value;
  const address = nodeAddress(store, nodeId);
  const [cluster] = store.list(clusters);
  if (network === undefined || address === undefined || cluster === undefined) return undefined;
  return { id: network.vxlanId, port: cluster.value.dataPathPort, address };
}

/** The tasks with an endpoint on a network, on nodes that are in the swarm. */
function membersOf(store: ClusterStore, networkId: string): readonly Member[] {
  return store.list(taskKind).flatMap(({ value: task }) => {
    const { Addresses: addresses = [], NodeID: nodeId, Status: status } = task;
    const own = addresses.find(({ NetworkID: id }) => id === networkId);
    if (own === undefined || isFinal(status.State)) return [];
    if (nodeId === undefined || nodeAddress(store, nodeId) === undefined) return [];
    return [{ task, address: withoutPrefix(own.Addr) }];
  });
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
    names.set(key, [...(names.get(key) ?? []), ...addresses]);
  };
  for (const { address, task } of members) {
    const { Attachment: attachment } = task;
    if (attachment === undefined) add(taskName(task), [address]);
    else for (const name of [attachment.ContainerName, ...attachment.Aliases]) add(name, [address]);
  }
  const services: { readonly address: string; readonly backends: readonly string[] }[] = [];
  for (const { id, value: service } of store.list(serviceKind)) {
    const attachments = service.Spec.TaskTemplate?.Networks ?? service.Spec.Networks ?? [];
    const attachment = attachments.find(({ Target: target }) => target === networkId);
    if (attachment === undefined) continue;
    const serving = members
      .filter(({ task }) => task.ServiceID === id && isServing(task))
      .map(({ address }) => address);
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
