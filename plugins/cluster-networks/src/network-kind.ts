import type { RecordKind } from '@gantry/core/contracts';
import type { SwarmNetwork } from '@gantry/networks/service';

/** A network of the swarm as stored. */
export type ClusterNetwork = Omit<SwarmNetwork, 'id' | 'createdAt'>;

export const networkKind: RecordKind<ClusterNetwork> = {
  name: 'network',
  version: 1,
  parse(value) {
    const network = value as ClusterNetwork;
    if (typeof network.name !== 'string' || !Array.isArray(network.pools)) throw new Error('the network has no pools');
    return network;
  },
  // Taken by the transaction that creates the network, so that no two have the same. Names have no blanks.
  uniqueNames: ({ ingress, name, pools, vxlanId }) => [
    name,
    `vxlan ${vxlanId}`,
    ...pools.map(({ subnet }) => `subnet ${subnet}`),
    ...(ingress ? ['the ingress network'] : []),
  ],
};
