import { isErrno, LinuxError } from '../errors/linux-error.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import { addressDumpBody, readAddress } from './address-messages.js';
import { RT_TABLE_MAIN, RTM_GETADDR, RTM_GETLINK, RTM_GETNEIGH, RTM_GETROUTE, RTM_GETRULE } from './constants.js';
import { linkBody, readLink } from './link-messages.js';
import { neighbourDumpBody, readNeighbour } from './neighbour-messages.js';
import type {
  Address,
  Link,
  LinkReference,
  Neighbour,
  Netlink,
  NetlinkSocket,
  NetworkChanges,
  Route,
  RoutingRule,
} from './netlink.js';
import { NetlinkTransport, type Request } from './netlink-transport.js';
import { RecordedChanges } from './recorded-changes.js';
import { readRoute, routeDumpBody } from './route-messages.js';
import { readRule, ruleDumpBody } from './rule-messages.js';

class KernelNetlinkSocket extends RecordedChanges implements NetlinkSocket {
  readonly #transport: NetlinkTransport;

  constructor(transport: NetlinkTransport) {
    super(
      (request) => transport.change([request]),
      (link) => this.#index(link),
    );
    this.#transport = transport;
  }

  links(): readonly Link[] {
    return this.#transport.dump(question(RTM_GETLINK, linkBody({ index: 0 }), 'links'), readLink);
  }

  link(link: LinkReference): Link | undefined {
    const body = linkBody(typeof link === 'number' ? { index: link } : { name: link });
    try {
      return this.#transport.get(question(RTM_GETLINK, body, `${link}`), readLink);
    } catch (error) {
      if (isErrno(error, 'ENODEV')) return undefined;
      throw error;
    }
  }

  addresses(link?: LinkReference): readonly Address[] {
    const index = link === undefined ? 0 : this.#index(link);
    const all = this.#transport.dump(question(RTM_GETADDR, addressDumpBody(index), `${link ?? 'all'}`), readAddress);
    return link === undefined ? all : all.filter((address) => address.link === index);
  }

  routes(options: { readonly table?: number | 'all' } = {}): readonly Route[] {
    const { table = RT_TABLE_MAIN } = options;
    const body = routeDumpBody(0, table === 'all' ? 0 : table);
    try {
      const all = this.#transport.dump(question(RTM_GETROUTE, body, `table ${table}`), readRoute);
      return table === 'all' ? all : all.filter((route) => route.table === table);
    } catch (error) {
      // A table without routes does not exist.
      if (isErrno(error, 'ENOENT')) return [];
      throw error;
    }
  }

  rules(): readonly RoutingRule[] {
    return this.#transport.dump(question(RTM_GETRULE, ruleDumpBody(), 'rules'), readRule);
  }

  neighbours(options: { readonly link?: LinkReference; readonly table?: 'arp' | 'bridge' } = {}): readonly Neighbour[] {
    const { link, table = 'arp' } = options;
    const index = link === undefined ? undefined : this.#index(link);
    const all = this.#transport.dump(question(RTM_GETNEIGH, neighbourDumpBody(table), table), readNeighbour);
    return index === undefined ? all : all.filter((neighbour) => neighbour.link === index);
  }

  batch(action: (changes: NetworkChanges) => void): void {
    const requests = this.#requestsOf(action);
    if (requests.length > 0) this.#transport.change(requests);
  }

  async apply(action: (changes: NetworkChanges) => void): Promise<void> {
    const requests = this.#requestsOf(action);
    if (requests.length > 0) await this.#transport.changeLater(requests);
  }

  close(): void {
    this.#transport.close();
  }

  #requestsOf(action: (changes: NetworkChanges) => void): readonly Request[] {
    const requests: Request[] = [];
    action(
      new RecordedChanges(
        (request) => requests.push(request),
        (link) => this.#index(link),
      ),
    );
    return requests;
  }

  #index(link: LinkReference): number {
    if (typeof link === 'number') return link;
    const found = this.link(link);
    if (found === undefined) throw new LinuxError('ENODEV', 'netlink', { path: link });
    return found.index;
  }
}

function question(type: number, body: Buffer, about: string): Request {
  return { type, flags: 0, body, about };
}

function open(options: { readonly namespace?: NamespaceReference } = {}): NetlinkSocket {
  const { namespace } = options;
  const make = (): NetlinkTransport => new NetlinkTransport();
  return new KernelNetlinkSocket(namespace === undefined ? make() : kernelNamespaces.runInNetwork(namespace, make));
}

function use<T>(namespace: NamespaceReference | undefined, action: (socket: NetlinkSocket) => T): T {
  const socket = open(namespace === undefined ? {} : { namespace });
  try {
    return action(socket);
  } finally {
    socket.close();
  }
}

export const kernelNetlink: Netlink = { open, use };
