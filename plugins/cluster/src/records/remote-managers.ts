import type { ClusterStore } from '@gantry/core/contracts';
import { nodes } from './node-kind.js';

export interface RemoteManager {
  readonly nodeId: string;
  /** `address:port`. */
  readonly address: string;
}

/** Where the managers of a swarm are reached, in an order that stays as it is. Asked with every heartbeat. */
export const remoteManagers = (store: ClusterStore): readonly RemoteManager[] =>
  store
    .select(nodes, 'manager', 'yes')
    .flatMap(({ id, value: { manager } }) => (manager === undefined ? [] : [{ nodeId: id, address: manager.address }]))
    .sort((one, other) => (one.nodeId < other.nodeId ? -1 : 1));
