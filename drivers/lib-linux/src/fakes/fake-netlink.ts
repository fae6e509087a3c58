import { LinuxError } from '../errors/linux-error.js';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import type {
  Address,
  BridgeOptions,
  BridgePortChange,
  Link,
  LinkChange,
  LinkReference,
  Neighbour,
  NeighbourChange,
  Netlink,
  NetlinkSocket,
  NetworkChanges,
  NewAddress,
  NewLink,
  Route,
  RouteChange,
} from '../netlink/netlink.js';

const noStatistics = {
  rxBytes: 0,
  rxPackets: 0,
  rxErrors: 0,
  rxDropped: 0,
  txBytes: 0,
  txPackets: 0,
  txErrors: 0,
  txDropped: 0,
};

/**
 * Network stacks in memory, one for each namespace reference: a descriptor and a path count as two namespaces. Links,
 * addresses and routes are stored without further effects.
 */
export class FakeNetlink implements Netlink {
  readonly #stacks = new Map<NamespaceReference | undefined, FakeStack>();

  open(options: { readonly namespace?: NamespaceReference } = {}): NetlinkSocket {
    return this.#stack(options.namespace);
  }

  use<T>(namespace: NamespaceReference | undefined, action: (socket: NetlinkSocket) => T): T {
    return action(this.#stack(namespace));
  }

  #stack(namespace: NamespaceReference | undefined): FakeStack {
    let stack = this.#stacks.get(namespace);
    if (stack === undefined) {
      stack = new FakeStack((other) => this.#stack(other));
      this.#stacks.set(namespace, stack);
    }
    return stack;
  }
}

class FakeStack implements NetlinkSocket {
  #links: Link[] = [];
  #addresses: Address[] = [];
  #routes: Route[] = [];
  #neighbours: Neighbour[] = [];
  #nextIndex = 1;

  constructor(private readonly stackOf: (namespace: NamespaceReference) => FakeStack) {
    this.#insert({ name: 'lo', kind: undefined, mtu: 65536 });
  }

  addLink(link: NewLink): void {
    const stack = link.namespaceFd === undefined ? this : this.stackOf(link.namespaceFd);
    stack.#insert({ ...link, ...(link.master !== undefined && { masterIndex: this.#find(link.master).index }) });
    if (link.kind !== 'veth') return;
    const { peer } = link;
    (peer.namespaceFd === undefined ? this : this.stackOf(peer.namespaceFd)).#insert({ ...peer, kind: 'veth' });
  }

  deleteLink(link: LinkReference): void {
    const { index } = this.#find(link);
    this.#links = this.#links.filter((other) => other.index !== index);
    this.#addresses = this.#addresses.filter((address) => address.link !== index);
    this.#routes = this.#routes.filter((route) => route.link !== index);
  }

  deleteLinks(links: readonly LinkReference[]): void {
    const missing = links.filter((link) => this.link(link) === undefined);
    for (const link of links) if (!missing.includes(link)) this.deleteLink(link);
    if (missing.length > 0) throw new LinuxError('ENODEV', 'netlink', { path: `${missing[0]}` });
  }

  setLink(link: LinkReference, { up, name, mtu, macAddress, alias, master, namespaceFd }: LinkChange): void {
    const found = this.#find(link);
    const changed: Link = {
      ...found,
      ...(up !== undefined && { up, running: up }),
      ...(name !== undefined && { name }),
      ...(mtu !== undefined && { mtu }),
      ...(macAddress !== undefined && { macAddress: macAddress.toLowerCase() }),
      ...(alias !== undefined && { alias: alias === '' ? undefined : alias }),
      ...(master !== undefined && { master: master === null ? undefined : this.#find(master).index }),
    };
    this.#links = this.#links.map((other) => (other.index === found.index ? changed : other));
    if (namespaceFd === undefined) return;
    this.deleteLink(found.index);
    this.stackOf(namespaceFd).#links.push({ ...changed, up: false, running: false });
  }

  setBridge(link: LinkReference, _options: BridgeOptions): void {
    this.#find(link);
  }

  setBridgePort(link: LinkReference, _change: BridgePortChange): void {
    this.#find(link);
  }

  addAddress(link: LinkReference, address: NewAddress | string): void {
    const { index } = this.#find(link);
    const whole = typeof address === 'string' ? { address } : address;
    if (this.#addresses.some((other) => other.link === index && other.address === whole.address)) {
      throw new LinuxError('EEXIST', 'netlink', { path: `${link} ${whole.address}` });
    }
    this.#addresses.push({
      link: index,
      family: whole.address.includes(':') ? 'ipv6' : 'ipv4',
      address: whole.address,
      broadcast: whole.broadcast,
      scope: 'global',
      tentative: false,
    });
  }

  deleteAddress(link: LinkReference, address: string): void {
    const { index } = this.#find(link);
    const rest = this.#addresses.filter((other) => other.link !== index || other.address !== address);
    if (rest.length === this.#addresses.length) {
      throw new LinuxError('EADDRNOTAVAIL', 'netlink', { path: `${link} ${address}` });
    }
    this.#addresses = rest;
  }

  addRoute(route: RouteChange): void {
    if (this.#routes.some((other) => isSameRoute(other, route))) {
      throw new LinuxError('EEXIST', 'netlink', { path: route.destination });
    }
    this.replaceRoute(route);
  }

  replaceRoute(route: RouteChange): void {
    this.#routes = this.#routes.filter((other) => !isSameRoute(other, route));
    const text = route.gateway ?? route.destination;
    this.#routes.push({
      family: text.includes(':') ? 'ipv6' : (route.family ?? 'ipv4'),
      destination: route.destination,
      gateway: route.gateway,
      link: route.link === undefined ? undefined : this.#find(route.link).index,
      source: route.source,
      metric: route.metric ?? 0,
      table: route.table ?? 254,
      type: 'unicast',
    });
  }

  deleteRoute(route: RouteChange): void {
    const rest = this.#routes.filter((other) => !isSameRoute(other, route));
    if (rest.length === this.#routes.length) throw new LinuxError('ESRCH', 'netlink', { path: route.destination });
    this.#routes = rest;
  }

  addNeighbour({ link, address, macAddress }: NeighbourChange): void {
    this.#neighbours.push({ link: this.#find(link).index, address, macAddress, permanent: true });
  }

  deleteNeighbour({ link, address, macAddress }: NeighbourChange): void {
    const { index } = this.#find(link);
    this.#neighbours = this.#neighbours.filter(
      (other) => other.link !== index || other.address !== address || other.macAddress !== macAddress,
    );
  }

  links(): readonly Link[] {
    return [...this.#links];
  }

  link(link: LinkReference): Link | undefined {
    return this.#links.find(({ index, name }) => index === link || name === link);
  }

  addresses(link?: LinkReference): readonly Address[] {
    const index = link === undefined ? undefined : this.#find(link).index;
    return this.#addresses.filter((address) => index === undefined || address.link === index);
  }

  routes({ table = 254 }: { readonly table?: number | 'all' } = {}): readonly Route[] {
    return this.#routes.filter((route) => table === 'all' || route.table === table);
  }

  neighbours({ link }: { readonly link?: LinkReference } = {}): readonly Neighbour[] {
    const index = link === undefined ? undefined : this.#find(link).index;
    return this.#neighbours.filter((neighbour) => index === undefined || neighbour.link === index);
  }

  batch(action: (changes: NetworkChanges) => void): void {
    action(this);
  }

  async apply(action: (changes: NetworkChanges) => void): Promise<void> {
    action(this);
  }

  close(): void {
    // The stack remains for the next socket.
  }

  #find(link: LinkReference): Link {
    const found = this.link(link);
    if (found === undefined) throw new LinuxError('ENODEV', 'netlink', { path: `${link}` });
    return found;
  }

  #insert(link: {
    name: string;
    kind: string | undefined;
    mtu?: number;
    macAddress?: string;
    index?: number;
    masterIndex?: number;
  }): void {
    if (this.link(link.name) !== undefined) throw new LinuxError('EEXIST', 'netlink', { path: link.name });
    const index = link.index ?? this.#nextIndex;
    this.#nextIndex = Math.max(this.#nextIndex, index) + 1;
    this.#links.push({
      index,
      name: link.name,
      kind: link.kind,
      up: false,
      running: false,
      loopback: link.kind === undefined,
      mtu: link.mtu ?? 1500,
      macAddress: link.macAddress?.toLowerCase() ?? `02:00:00:00:00:${index.toString(16).padStart(2, '0')}`,
      alias: undefined,
      master: link.masterIndex,
      parent: undefined,
      statistics: noStatistics,
    });
  }
}

function isSameRoute(one: Route, other: RouteChange): boolean {
  return (
    one.destination === other.destination &&
    one.table === (other.table ?? 254) &&
    (other.gateway === undefined || one.gateway === other.gateway) &&
    (other.metric === undefined || one.metric === other.metric)
  );
}
