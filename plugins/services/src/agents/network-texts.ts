import { networkKind } from '@gantry/cluster-networks/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { ingressState } from '../endpoints/ingress.js';
import { tunnelOf } from '../endpoints/network-state.js';
import { NetworkStates } from '../endpoints/network-states.js';
import { taskKind } from '../records/record-kinds.js';

/** What a node is to know of its networks, as JSON that is not put together yet: most of it is that of other nodes, too. */
export interface NetworksText {
  /** Ids of the networks that it is about. */
  readonly networks: ReadonlySet<string>;
  readonly states: readonly StateText[];
  readonly attachable: string;
  readonly ingress: string | undefined;
}

interface StateText {
  readonly id: string;
  readonly tunnel: string;
  /** An object with at least one field. */
  readonly shared: string;
}

/** Of one store: what was encoded last. */
interface Encoded {
  revision: number;
  ingress: string | undefined;
  ingressId: string | undefined;
  readonly networks: Map<string, { revision: number; text: string }>;
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
    const states = [...networks].flatMap((id) => {
      const tunnel = tunnelOf(store, nodeId, id);
      return tunnel === undefined ? [] : [{ id, tunnel: JSON.stringify(tunnel), shared: this.#shared(store, id) }];
    });
    const attachable = store.list(networkKind).flatMap(({ createdAt, id, value }) => {
      const tunnel = value.attachable ? tunnelOf(store, nodeId, id) : undefined;
      return tunnel === undefined ? [] : [{ network: { id, createdAt, ...value }, tunnel }];
    });
    return { networks, states, attachable: JSON.stringify(attachable), ingress };
  }

  #common(store: ClusterStore): Encoded {
    const { revision } = store;
    const encoded = this.#encoded.get(store);
    if (encoded?.revision === revision) return encoded;
    const state = ingressState(store);
    const ingress = state && JSON.stringify(state);
    const next = {
      revision,
      ingress: ingress === encoded?.ingress ? encoded?.ingress : ingress,
      ingressId: state?.network.id,
      networks: encoded?.networks ?? new Map(),
    };
    this.#encoded.set(store, next);
    return next;
  }

  #shared(store: ClusterStore, networkId: string): string {
    const { networks, revision } = this.#common(store);
    const known = networks.get(networkId);
    if (known?.revision === revision) return known.text;
    const state = this.states.shared(store, networkId);
    const text = JSON.stringify({ ...state, names: [...state.names] });
    // An equal text stays the same one: every node keeps what it was sent last.
    const same = known?.text === text ? known.text : text;
    networks.set(networkId, { revision, text: same });
    return same;
  }
}

export const isSameText = (one: NetworksText, other: NetworksText): boolean =>
  one.ingress === other.ingress &&
  one.attachable === other.attachable &&
  one.states.length === other.states.length &&
  one.states.every(({ id, shared, tunnel }, index) => {
    const state = other.states[index];
    return state?.id === id && state.tunnel === tunnel && state.shared === shared;
  });

/** A line that `parseNetworks` reads. */
export function toLine({ attachable, ingress, states }: NetworksText, revision: number): Uint8Array {
  const parts = states.map(
    ({ id, shared, tunnel }) => `[${JSON.stringify(id)},{"revision":${revision},"tunnel":${tunnel},${shared.slice(1)}]`,
  );
  const fields = [`"revision":${revision}`, `"states":[${parts.join(',')}]`, `"attachable":${attachable}`];
  if (ingress !== undefined) fields.push(`"ingress":${ingress}`);
  return Buffer.from(`{${fields.join(',')}}\n`);
}
