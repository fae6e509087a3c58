import { isDeepStrictEqual } from 'node:util';
import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkPeer,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import type { NetlinkSocket } from '@gantry/lib-linux/netlink';
import { checkRequest, networkOf } from '@gantry/lib-network';
import { HostNetlink } from './host-netlink.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { NetworkNamespaces } from './links/network-namespaces.js';
import { NetworkTable } from './network-table.js';
import { OverlayNetwork } from './overlay-network.js';
import { parseOverlayOptions } from './parse-overlay-options.js';
import { PeerTable } from './peers/peer-table.js';
import { RestoreNetworks } from './restore-networks.js';

const ethernetMtu = 1500;
/** What a tunnel adds to a packet: Ethernet, IP, UDP and VXLAN headers. */
const tunnelOverhead = 50;

/**
 * Networks that tunnels connect across nodes. Every change but the deletion of links is synchronous: no call sees another
 * one half done.
 */
@injectable()
export class OverlayNetworks implements NetworkDriver {
  readonly capabilities: NetworkCapabilities = {
    scope: 'global',
    userDefined: true,
    addresses: true,
    publish: false,
    hostStack: false,
    routes: false,
    peers: true,
  };

  /** Networks whose links the kernel is still deleting. */
  readonly #removing = new Map<string, Promise<void>>();

  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(HostNetlink) private readonly host: NetlinkSocket,
    @inject(NetworkNamespaces) private readonly namespaces: NetworkNamespaces,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(PeerTable) private readonly peerTable: PeerTable,
    @inject(RestoreNetworks) private readonly restoreNetworks: RestoreNetworks,
  ) {}

  validate({ options }: NetworkSpec): void {
    parseOverlayOptions(options);
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    await this.#removing.get(spec.id);
    const present = this.networks.get(spec.id);
    if (present !== undefined) return this.#replaceTunnel(present, spec);
    const network = this.#describe(spec);
    try {
      this.namespaces.ensure(network);
    } catch (error) {
      await this.namespaces.remove(network.path);
      throw error;
    }
    this.networks.set(spec.id, network);
  }

  async removeNetwork(networkId: string): Promise<void> {
    const network = this.networks.get(networkId);
    if (network === undefined) return this.#removing.get(networkId);
    network.refuseRemovalInUse();
    this.networks.delete(networkId);
    const removed = this.#remove(network).finally(() => this.#removing.delete(networkId));
    this.#removing.set(networkId, removed);
    await removed;
  }

  async join(request: JoinRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    signal?.throwIfAborted();
    const { networkId, endpointId } = request;
    await this.networks.get(networkId)?.leaving.get(endpointId);
    const network = networkOf(this.networks, networkId);
    const known = network.endpoints.get(endpointId);
    if (known !== undefined) return known.joined;
    checkRequest(request);
    const joined = network.describe(request);
    try {
      this.links.plug({ network, request, macAddress: joined.macAddress });
    } catch (error) {
      await this.links.unplug(network, endpointId);
      throw error;
    }
    network.endpoints.set(endpointId, { request, joined });
    return joined;
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    const network = this.networks.get(networkId);
    if (network === undefined || !network.endpoints.delete(endpointId)) return network?.leaving.get(endpointId);
    await network.trackLeaving(endpointId, this.links.unplug(network, endpointId));
  }

  async peers(networkId: string, peers: readonly NetworkPeer[], revision: number): Promise<void> {
    const network = networkOf(this.networks, networkId);
    if (revision < (network.peerSet?.revision ?? 0)) return;
    network.peerSet = { peers, revision };
    this.peerTable.repair(network);
  }

  restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    return this.restoreNetworks.restore(networks, endpoints, (spec) => this.#describe(spec));
  }

  #describe(spec: NetworkSpec): OverlayNetwork {
    const { mtu } = parseOverlayOptions(spec.options);
    return new OverlayNetwork(spec, this.namespaces.pathOf(spec.id), mtu ?? this.#defaultMtu());
  }

  /** The node is reached at another address. */
  #replaceTunnel(network: OverlayNetwork, { tunnel }: NetworkSpec): void {
    if (tunnel === undefined || isDeepStrictEqual(tunnel, network.spec.tunnel)) return;
    network.spec = { ...network.spec, tunnel };
    this.namespaces.ensure(network);
    this.peerTable.repair(network);
  }

  async #remove({ leaving, path }: OverlayNetwork): Promise<void> {
    await Promise.allSettled(leaving.values());
    await this.namespaces.remove(path);
  }

  /** A packet with its tunnel's headers has to fit through the host's default route. */
  #defaultMtu(): number {
    const route = this.host.routes().find(({ destination, link }) => destination === 'default' && link !== undefined);
    const mtu = route?.link === undefined ? undefined : this.host.link(route.link)?.mtu;
    return Math.min(ethernetMtu, mtu ?? ethernetMtu) - tunnelOverhead;
  }
}
