import { networkKind } from '@gantry/cluster-networks/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { ingressState } from '../endpoints/ingress.js';
import { type NetworkView, tunnelOf, viewOf } from '../endpoints/network-state.js';
import { NetworkStates } from '../endpoints/network-states.js';
import { taskKind } from '../records/record-kinds.js';
import { NetworkHistory } from './network-history.js';

/** What a node is to know of its networks, as JSON that is not put together yet: most of it is that of other nodes, too. */
export interface NetworksText {
  /** Ids of the networks that it is about. */
  readonly networks: ReadonlySet<string>;
  /** Ids of those with the meshes of published ports. */
  readonly meshes: ReadonlySet<string>;
  readonly states: readonly StateText[];
  readonly attachable: string;
  readonly ingress: string | undefined;
}

interface StateText {
  readonly id: string;
  readonly tunnel: string;
  readonly shared: NetworkHistory;
  /** Of what is shared, when this was made. */
  readonly version: number;
}

/** Of one store: what was encoded last. */
interface Encoded {
  revision: number;
  ingress: string | undefined;
  ingressId: string | undefined;
  /** By `VIEW NETWORK`. */
  readonly networks: Map<string, EncodedNetwork>;
}

interface EncodedNetwork {
  readonly networkId: string;
  readonly revision: number;
  readonly history: NetworkHistory;
}

/** Encodes the networks of nodes: what many nodes have in common is encoded once for each revision of the store. */
@injectable()
export class NetworkTexts {
  readonly #encoded = new WeakMap<ClusterStore, Encoded>();

  constructor(@inject(NetworkStates) private readonly states: NetworkStates) {}

  of(store: ClusterStore, nodeId: string): NetworksText {
    const { ingress, ingressId } = this.#common(store);
    const own = store.select(taskKind, 'node', nodeId).flatMap(({ value }) => value.Addresses ?? []);
    const networks = new Set(own.map(({ NetworkID: id }) => id));
    if (ingressId !== undefined) networks.add(ingressId);
    const meshes = new Set<string>();
    const states = [...networks].flatMap((id) => {
      const view = viewOf(store, nodeId, id);
      if (view === 'complete') meshes.add(id);
      const tunnel = tunnelOf(store, nodeId, id);
      if (tunnel === undefined) return [];
      const shared = this.#shared(store, id, view);
      return [{ id, tunnel: JSON.stringify(tunnel), shared, version: shared.version }];
    });
    const attachable = store.list(networkKind).flatMap(({ createdAt, id, value }) => {
      const tunnel = value.attachable ? tunnelOf(store, nodeId, id) : undefined;
      return tunnel === undefined ? [] : [{ network: { id, createdAt, ...value }, tunnel }];
    });
    return { networks, meshes, states, attachable: JSON.stringify(attachable), ingress };
  }

  #common(store: ClusterStore): Encoded {
    const { revision } = store;
    const encoded = this.#encoded.get(store);
    if (encoded?.revision === revision) return encoded;
    const state = ingressState(store);
    const ingress = state && JSON.stringify(state);
    const networks = encoded?.networks ?? new Map<string, EncodedNetwork>();
    for (const [key, { networkId }] of networks) {
      if (store.get(networkKind, networkId) === undefined) networks.delete(key);
    }
    const next = {
      revision,
      ingress: ingress === encoded?.ingress ? encoded?.ingress : ingress,
      ingressId: state?.network.id,
      networks,
    };
    this.#encoded.set(store, next);
    return next;
  }

  #shared(store: ClusterStore, networkId: string, view: NetworkView): NetworkHistory {
    const { networks, revision } = this.#common(store);
    const key = `${view} ${networkId}`;
    const known = networks.get(key);
    if (known?.revision === revision) return known.history;
    const state = this.states.shared(store, networkId, view);
    const history = known?.history ?? new NetworkHistory(state);
    history.update(state);
    networks.set(key, { networkId, revision, history });
    return history;
  }
}

export const isSameText = (one: NetworksText, other: NetworksText): boolean =>
  one.ingress === other.ingress &&
  one.attachable === other.attachable &&
  one.states.length === other.states.length &&
  one.states.every((state, index) => isSameState(state, other.states[index]));

const isSameState = (one: StateText, other: StateText | undefined): boolean =>
  other !== undefined && one.shared === other.shared && one.version === other.version && one.tunnel === other.tunnel;

/** A line that `networksAfter` reads. @param sent what the node has, for one that takes changes of it. */
export function toLine(text: NetworksText, revision: number, sent?: NetworksText): Uint8Array {
  const complete: string[] = [];
  const changed: string[] = [];
  for (const state of text.states) {
    const known = sent?.states.find(({ id }) => id === state.id);
    if (known !== undefined && isSameState(known, state)) continue;
    const changes =
      known?.shared === state.shared && known.tunnel === state.tunnel
        ? state.shared.changesSince(known.version)
        : undefined;
    const id = JSON.stringify(state.id);
    if (changes !== undefined) changed.push(`[${id},[${changes.join(',')}]]`);
    else {
      const shared = state.shared.complete.slice(1);
      complete.push(`[${id},{"revision":${revision},"tunnel":${state.tunnel},${shared}]`);
    }
  }
  const fields = [`"revision":${revision}`, `"states":[${complete.join(',')}]`];
  if (sent !== undefined) {
    const ids = new Set(text.states.map(({ id }) => id));
    const removed = sent.states.map(({ id }) => id).filter((id) => !ids.has(id));
    fields.push(`"changes":[${changed.join(',')}]`, `"removed":${JSON.stringify(removed)}`);
  }
  if (text.attachable !== sent?.attachable) fields.push(`"attachable":${text.attachable}`);
  if (text.ingress !== sent?.ingress) fields.push(`"ingress":${text.ingress ?? 'null'}`);
  return Buffer.from(`{${fields.join(',')}}\n`);
}
