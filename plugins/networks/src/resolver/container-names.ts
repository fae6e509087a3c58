import { refersTo } from '../endpoints/links.js';
import type { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import type { SwarmSources } from '../store/swarm-sources.js';

/** Names and addresses of the containers on one container's networks. */
export class ContainerNames {
  constructor(
    private readonly store: NetworkStore,
    private readonly containerId: string,
    private readonly swarm: Pick<SwarmSources, 'namesOn'>,
  ) {}

  /**
   * Addresses of a name, or of `name.network`, without prefix length; undefined when no container on these networks has
   * that name. Those on the first network come first; within one network the order is random, which spreads the load
   * over containers that share an alias.
   */
  lookup(name: string, family: 4 | 6): readonly string[] | undefined {
    const wanted = name.toLowerCase();
    const found = this.#neighbours().filter(({ record, own }) => {
      const suffix = `.${this.store.network(record.networkId)?.name.toLowerCase() ?? ''}`;
      return (
        hasName(record, own, wanted) ||
        (wanted.endsWith(suffix) && hasName(record, own, wanted.slice(0, -suffix.length)))
      );
    });
    const published = this.#publishedAddresses(wanted);
    if (found.length + published.size === 0) return undefined;
    const networks = new Set([...found.map(({ own }) => own.networkId), ...published.keys()]);
    return [...networks].flatMap((id) => {
      const own = found
        .filter((each) => each.own.networkId === id)
        .flatMap(({ record }) => addressOf(record, family) ?? []);
      const others = family === 4 ? (published.get(id) ?? []) : [];
      return shuffled([...new Set([...own, ...others])]);
    });
  }

  /** The full name of an address: `container.network`; undefined for an unknown address. */
  reverse(address: string): string | undefined {
    for (const { record } of this.#neighbours()) {
      if (addressOf(record, 4) !== address && addressOf(record, 6) !== address) continue;
      return `${record.containerName}.${this.store.network(record.networkId)?.name ?? ''}`;
    }
    return undefined;
  }

  /** Whether queries may be forwarded: not from a container that is on internal networks only. */
  mayForward(): boolean {
    return this.store
      .endpointsOf(this.containerId)
      .some(({ networkId }) => this.store.network(networkId)?.internal === false);
  }

  /** Addresses of services and of containers on other nodes, by network. */
  #publishedAddresses(wanted: string): ReadonlyMap<string, readonly string[]> {
    const published = new Map<string, readonly string[]>();
    for (const { networkId } of this.store.endpointsOf(this.containerId)) {
      const names = this.swarm.namesOn(networkId);
      const suffix = `.${this.store.network(networkId)?.name.toLowerCase() ?? ''}`;
      const short = wanted.endsWith(suffix) ? wanted.slice(0, -suffix.length) : wanted;
      const addresses = names?.get(wanted) ?? names?.get(short);
      if (addresses !== undefined) published.set(networkId, addresses);
    }
    return published;
  }

  /** Endpoints on the networks of this container, each with this container's own endpoint there. */
  #neighbours(): readonly { readonly record: EndpointRecord; readonly own: EndpointRecord }[] {
    return this.store.endpointsOf(this.containerId).flatMap((own) => {
      const network = this.store.network(own.networkId);
      if (network === undefined || network.predefined) return [];
      return this.store
        .endpointsOn(own.networkId)
        .filter(({ joined }) => joined !== undefined)
        .map((record) => ({ record, own }));
    });
  }
}

function hasName(record: EndpointRecord, own: EndpointRecord, wanted: string): boolean {
  const { containerId, containerName, aliases } = record;
  const names = [containerName, containerId.slice(0, 12), containerId, ...aliases];
  if (names.some((name) => name.toLowerCase() === wanted)) return true;
  return Object.entries(own.links).some(
    ([alias, reference]) => alias.toLowerCase() === wanted && refersTo(reference, record),
  );
}

const addressOf = ({ request }: EndpointRecord, family: 4 | 6): string | undefined =>
  (family === 4 ? request.ipv4 : request.ipv6)?.replace(/\/\d+$/, '');

function shuffled<T>(list: readonly T[]): T[] {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
  }
  return mixed;
}
