import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notFound } from '@gantry/core/errors';
import type { EndpointRecord, NetworkRecord, SandboxRecord } from './records.js';
import { SwarmSources } from './swarm-sources.js';

interface NetworkChange {
  readonly networks?: readonly NetworkRecord[];
  readonly endpoints?: readonly EndpointRecord[];
  readonly sandboxes?: readonly SandboxRecord[];
  readonly removeNetworks?: readonly string[];
  readonly removeEndpoints?: readonly string[];
  readonly removeSandboxes?: readonly string[];
}

/** Networks, endpoints and sandboxes: served from memory, changed in transactions of the state store. */
@injectable()
export class NetworkStore {
  readonly #networks = new Map<string, NetworkRecord>();
  readonly #endpoints = new Map<string, EndpointRecord>();
  readonly #sandboxes = new Map<string, SandboxRecord>();
  /** Networks whose own record was unreadable and whose copy is used. */
  readonly #recovered: NetworkRecord[] = [];
  readonly #byContainer = new Map<string, Set<string>>();
  readonly #byNetwork = new Map<string, Set<string>>();
  readonly #collections: {
    readonly networks: Collection<NetworkRecord>;
    /** A second record of each network: when the first is unreadable, running containers keep their links. */
    readonly copies: Collection<NetworkRecord>;
    readonly endpoints: Collection<EndpointRecord>;
    readonly sandboxes: Collection<SandboxRecord>;
  };

  readonly #state: StateDriver;

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(SwarmSources) readonly swarm: Pick<SwarmSources, 'networks' | 'network' | 'remove'>,
  ) {
    const state = states.get();
    this.#state = state;
    const open = <T>(name: string): Collection<T> =>
      state.collection<T>({ name, version: 1, parse: (value) => value as T });
    this.#collections = {
      networks: open<NetworkRecord>('networks'),
      copies: open<NetworkRecord>('network-copies'),
      endpoints: open<EndpointRecord>('network-endpoints'),
      sandboxes: open<SandboxRecord>('network-sandboxes'),
    };
    for (const [, network] of this.#collections.networks.entries()) this.#networks.set(network.id, network);
    for (const { key } of this.#collections.networks.quarantined()) {
      const copy = this.#collections.copies.get(key);
      if (copy === undefined || this.#networks.has(key)) continue;
      this.#networks.set(key, copy);
      this.#recovered.push(copy);
    }
    const endpoints = [...this.#collections.endpoints.entries()].map(([, endpoint]) => endpoint);
    for (const endpoint of endpoints.sort(byPosition)) this.#add(endpoint);
    for (const [, sandbox] of this.#collections.sandboxes.entries()) this.#sandboxes.set(sandbox.containerId, sandbox);
  }

  /** Writes missing records and missing copies of networks. @returns the networks that were read from their copies. */
  async repairRecords(): Promise<readonly NetworkRecord[]> {
    const { copies } = this.#collections;
    const single = [...this.#networks.values()].filter(({ id }) => !copies.has(id));
    const networks = [...this.#recovered.splice(0), ...single];
    if (networks.length > 0) await this.change({ networks });
    return networks.filter((network) => !single.includes(network));
  }

  /** Those of this node, and those of the swarm. */
  *networks(): Iterable<NetworkRecord> {
    yield* this.#networks.values();
    for (const network of this.swarm.networks()) if (!this.#networks.has(network.id)) yield network;
  }

  /** Those that exist on this node. */
  ownNetworks(): Iterable<NetworkRecord> {
    return this.#networks.values();
  }

  /** A network that exists on this node. */
  ownNetwork(id: string): NetworkRecord | undefined {
    return this.#networks.get(id);
  }

  endpoints(): Iterable<EndpointRecord> {
    return this.#endpoints.values();
  }

  network(id: string): NetworkRecord | undefined {
    return this.#networks.get(id) ?? this.swarm.network(id);
  }

  sandbox(containerId: string): SandboxRecord | undefined {
    return this.#sandboxes.get(containerId);
  }

  sandboxes(): Iterable<SandboxRecord> {
    return this.#sandboxes.values();
  }

  byName(name: string): readonly NetworkRecord[] {
    return [...this.networks()].filter((network) => network.name === name);
  }

  /** In joining order. */
  endpointsOf(containerId: string): readonly EndpointRecord[] {
    return this.#listed(this.#byContainer.get(containerId));
  }

  endpointsOn(networkId: string): readonly EndpointRecord[] {
    return this.#listed(this.#byNetwork.get(networkId));
  }

  /** By full id, name, then unique prefix. @throws EngineError `not-found`, `invalid-argument` when it is ambiguous. */
  resolve(reference: string): NetworkRecord {
    const named = this.byName(reference);
    const found = this.network(reference) ?? (named.length === 1 ? named[0] : undefined);
    if (found !== undefined) return found;
    if (named.length > 1) {
      throw invalidArgument(`network ${reference} is ambiguous (${named.length} matches found based on name)`);
    }
    const prefixed = /^[0-9a-z]+$/.test(reference)
      ? [...this.networks()].filter(({ id }) => id.startsWith(reference))
      : [];
    if (prefixed.length > 1) {
      throw invalidArgument(`network ${reference} is ambiguous (${prefixed.length} matches found based on ID prefix)`);
    }
    if (prefixed[0] === undefined) throw notFound(`network ${reference} not found`);
    return prefixed[0];
  }

  /** Atomic, and durable when it resolves. */
  async change(change: NetworkChange): Promise<void> {
    const { networks = [], endpoints = [], sandboxes = [] } = change;
    const { removeNetworks = [], removeEndpoints = [], removeSandboxes = [] } = change;
    const collections = this.#collections;
    await this.#state.transaction((transaction) => {
      for (const network of networks) {
        transaction.put(collections.networks, network.id, network);
        transaction.put(collections.copies, network.id, network);
      }
      for (const endpoint of endpoints) transaction.put(collections.endpoints, endpoint.id, endpoint);
      for (const sandbox of sandboxes) transaction.put(collections.sandboxes, sandbox.containerId, sandbox);
      for (const id of removeNetworks) {
        transaction.delete(collections.networks, id);
        transaction.delete(collections.copies, id);
      }
      for (const id of removeEndpoints) transaction.delete(collections.endpoints, id);
      for (const id of removeSandboxes) transaction.delete(collections.sandboxes, id);
    });
    for (const network of networks) this.#networks.set(network.id, network);
    for (const endpoint of endpoints) this.#add(endpoint);
    for (const sandbox of sandboxes) this.#sandboxes.set(sandbox.containerId, sandbox);
    for (const id of removeNetworks) this.#networks.delete(id);
    for (const id of removeEndpoints) this.#remove(id);
    for (const id of removeSandboxes) this.#sandboxes.delete(id);
  }

  #listed(ids: ReadonlySet<string> | undefined): readonly EndpointRecord[] {
    return [...(ids ?? [])].flatMap((id) => this.#endpoints.get(id) ?? []);
  }

  #add(endpoint: EndpointRecord): void {
    this.#endpoints.set(endpoint.id, endpoint);
    addTo(this.#byContainer, endpoint.containerId, endpoint.id);
    addTo(this.#byNetwork, endpoint.networkId, endpoint.id);
  }

  #remove(id: string): void {
    const endpoint = this.#endpoints.get(id);
    if (endpoint === undefined) return;
    this.#endpoints.delete(id);
    deleteFrom(this.#byContainer, endpoint.containerId, id);
    deleteFrom(this.#byNetwork, endpoint.networkId, id);
  }
}

/** The state store returns endpoints in the order of their random ids. */
const byPosition = (a: EndpointRecord, b: EndpointRecord): number => positionOf(a) - positionOf(b);

/** Earlier engines numbered interfaces in joining order. */
const positionOf = ({ position, request }: EndpointRecord): number =>
  position ?? Number(request.interfaceName.replace(/^\D+/, ''));

function addTo(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}

function deleteFrom(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
}
