import { type ClusterState, newId } from '@gantry/cluster/service';
import { type ClusterChange, createRecord } from '@gantry/core/contracts';
import { allocateNetwork } from './allocate-network.js';
import { networkKind } from './network-kind.js';

/** The network that every new swarm has, for the published ports of its services. */
export function ingressChanges(cluster: ClusterState): readonly ClusterChange[] {
  const request = {
    name: 'ingress',
    driver: 'overlay',
    internal: false,
    attachable: false,
    ingress: true,
    ipam: { driver: 'default', options: {} },
    labels: {},
    options: {},
    pools: [],
  };
  return [createRecord(networkKind, newId(), allocateNetwork(request, [], cluster))];
}
