import { ClusterNetworks, networkKind } from '@gantry/cluster-networks/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { isEncrypted } from '@gantry/lib-network';
import type { SwarmNetworkState } from '@gantry/networks/service';
import { type NetworkView, type SharedNetworkState, sharedNetworkState, tunnelOf, viewOf } from './network-state.js';

interface StatesOfRevision {
  readonly revision: number;
  /** By `VIEW NETWORK`. */
  readonly states: Map<string, SharedNetworkState>;
}

/** Networks as nodes are given them: with the keys of those that are encrypted. */
@injectable()
export class NetworkStates {
  /** Of the newest revision that was asked for: all nodes with one view of a network have the same, but for their tunnels. */
  readonly #newest = new WeakMap<ClusterStore, StatesOfRevision>();

  constructor(@inject(ClusterNetworks.token) private readonly networks: ClusterNetworks) {}

  /** Undefined when the network or the node is gone. */
  of(store: ClusterStore, nodeId: string, networkId: string): SwarmNetworkState | undefined {
    const tunnel = tunnelOf(store, nodeId, networkId);
    if (tunnel === undefined) return undefined;
    return { revision: store.revision, tunnel, ...this.shared(store, networkId, viewOf(store, nodeId, networkId)) };
  }

  /** What all nodes with this view of a network have of it. */
  shared(store: ClusterStore, networkId: string, view: NetworkView): SharedNetworkState {
    const { revision } = store;
    let newest = this.#newest.get(store);
    if (newest?.revision !== revision) {
      newest = { revision, states: new Map() };
      this.#newest.set(store, newest);
    }
    const key = `${view} ${networkId}`;
    const state = newest.states.get(key) ?? this.#compute(store, networkId, view);
    newest.states.set(key, state);
    return state;
  }

  #compute(store: ClusterStore, networkId: string, view: NetworkView): SharedNetworkState {
    const state = sharedNetworkState(store, networkId, view);
    const network = store.get(networkKind, networkId)?.value;
    if (network === undefined || !isEncrypted(network.options)) return state;
    return { ...state, keys: this.networks.encryptionKeys(store) };
  }
}
