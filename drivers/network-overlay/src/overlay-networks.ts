import { isDeepStrictEqual } from 'node:util';
import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkPeer,
  NetworkSpec,
  RestoredEndpoint,
  TunnelKey,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { checkRequest, networkOf } from '@gantry/lib-network';
import { DescribeNetwork } from './describe-network.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { NetworkNamespaces } from './links/network-namespaces.js';
import { NetworkTable } from './network-table.js';
import type { OverlayNetwork } from './overlay-network.js';
import { PeerTable } from './peers/peer-table.js';
import { RestoreNetworks } from './restore-networks.js';

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
    @inject(DescribeNetwork) private readonly descriptions: DescribeNetwork,
    @inject(NetworkNamespaces) private readonly namespaces: NetworkNamespaces,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(PeerTable) private readonly peerTable: PeerTable,
    @inject(RestoreNetworks) private readonly restoreNetworks: RestoreNetworks,
  ) {}

  validate(spec: NetworkSpec): void {
    this.descriptions.validate(spec);
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    await this.#removing.get(spec.id);
    const present = this.networks.get(spec.id);
    if (present !== undefined) return this.#replaceTunnel(present, spec);
    this.descriptions.validate(spec);
    const network = this.descriptions.describe(spec);
    try {
      this.namespaces.ensure(network);
    } catch (error) {
      await this.namespaces.remove(network.path);
      this.peerTable.removeUnused();
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

  async useKeys(keys: readonly TunnelKey[]): Promise<void> {
    this.peerTable.useKeys(keys);
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    await this.restoreNetworks.restore(networks, endpoints, (spec) => this.descriptions.describe(spec));
    this.peerTable.removeUnused();
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
    this.peerTable.removeUnused();
  }
}
