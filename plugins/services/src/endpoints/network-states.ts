import { ClusterNetworks, networkKind } from '@gantry/cluster-networks/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { isEncrypted } from '@gantry/lib-network';
import type { SwarmNetworkState } from '@gantry/networks/service';
import { networkState } from './network-state.js';

/** Networks as nodes are given them: with the keys of those that are encrypted. */
@injectable()
export class NetworkStates {
  constructor(@inject(ClusterNetworks.token) private readonly networks: ClusterNetworks) {}

  /** Undefined when the network or the node is gone. */
  of(store: ClusterStore, nodeId: string, networkId: string): SwarmNetworkState | undefined {
    const state = networkState(store, nodeId, networkId);
    const network = store.get(networkKind, networkId)?.value;
    if (state === undefined || network === undefined || !isEncrypted(network.options)) return state;
    return { ...state, keys: this.networks.encryptionKeys(store) };
  }
}
