import type { ManagerSession } from '@gantry/cluster/service';
import type { ClusterStore, TunnelKey } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';

export { encryptionKeyKind } from './encryption-key-kind.js';
export { freeAddress } from './free-address.js';
export { type ClusterNetwork, networkKind } from './network-kind.js';

/** Networks of the swarm, for the areas whose records refer to them. */
export interface ClusterNetworks {
  /** Who uses networks, asked before their removal. @returns takes the source out again. */
  addUsers(users: NetworkUsers): () => void;
  /** What nodes encrypt networks with. None while no network is encrypted. */
  encryptionKeys(store: ClusterStore): readonly TunnelKey[];
}

export interface NetworkUsers {
  /** What uses the network of an id, such as `service web`; undefined when nothing does. */
  userOf(session: ManagerSession, networkId: string): string | undefined;
}

export const ClusterNetworks: ServicePoint<ClusterNetworks> = servicePoint<ClusterNetworks>('cluster-networks');
