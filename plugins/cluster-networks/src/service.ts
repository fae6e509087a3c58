import type { ManagerSession } from '@gantry/cluster/service';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';

export { freeAddress } from './free-address.js';
export { type ClusterNetwork, networkKind } from './network-kind.js';

/** Networks of the swarm, for the areas whose records refer to them. */
export interface ClusterNetworks {
  /** Who uses networks, asked before their removal. @returns takes the source out again. */
  addUsers(users: NetworkUsers): () => void;
}

export interface NetworkUsers {
  /** What uses the network of an id, such as `service web`; undefined when nothing does. */
  userOf(session: ManagerSession, networkId: string): string | undefined;
}

export const ClusterNetworks: ServicePoint<ClusterNetworks> = servicePoint<ClusterNetworks>('cluster-networks');
