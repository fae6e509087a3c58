import type { ClusterStore } from '@gantry/core/contracts';
import { nodes } from './node-kind.js';

export interface RemoteManager {
  readonly nodeId: string;
  /** `address:port`. */
  readonly address: string;
}

/** Where the managers of a swarm are reached. */
export const remoteManagers = (store: ClusterStore): readonly RemoteManager[] =>
  store
    .list(nodes)
    .flatMap(({ id, value: { manager } }) => (manager === undefined ? [] : [{ nodeId: id, address: manager.address }]));
