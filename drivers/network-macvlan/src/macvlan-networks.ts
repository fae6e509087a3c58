import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import type { DriverLifecycle, Logger } from '@gantry/core/driver';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import type { NetlinkSocket } from '@gantry/lib-linux/netlink';
import { checkRequest, networkOf } from '@gantry/lib-network';
import { isPlugged, plug, unplug } from './links/endpoint-link.js';
import { ensureParent, findOwnParents, refuseSharedParent, untilRunning } from './links/parent-link.js';
import { MacvlanNetwork } from './macvlan-network.js';
import { parseMacvlanOptions } from './options/macvlan-options.js';

/** What it takes to change the host. */
export interface Host {
  readonly netlink: NetlinkSocket;
  /** What the driver's own links are marked with. */
  readonly owner: string;
  readonly log: Logger;
}

/**
 * Networks whose containers lie on an interface of the host with addresses of their own. Every change but the deletion
 * of links is synchronous, so that calls never find each other half done.
 */
export class MacvlanNetworks implements NetworkDriver, DriverLifecycle {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: true,
    addresses: true,
    publish: false,
    hostStack: false,
  };

  readonly #networks = new Map<string, MacvlanNetwork>();

  constructor(private readonly host: Host) {}

  /** Containers go on running. When none is connected, nothing of the driver stays on the host. */
  async stop(): Promise<void> {
    if ([...this.#networks.values()].some(({ endpoints }) => endpoints.size > 0)) return;
    await this.#removeParents(() => false);
  }

  validate({ options, internal }: NetworkSpec): void {
    const { parent } = parseMacvlanOptions(options);
    if (internal && parent !== undefined) {
      throw invalidArgument(`invalid option parent: an internal network leads nowhere, and not to "${parent}"`);
    }
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    if (!this.#networks.has(spec.id)) this.#add(spec);
    const network = this.#networks.get(spec.id);
    if (network?.options.parent === undefined && network !== undefined) {
      await untilRunning(this.host.netlink, network.parent);
    }
  }

  async removeNetwork(networkId: string): Promise<void> {
    const network = this.#networks.get(networkId);
    if (network === undefined) return;
    network.refuseRemovalInUse();
    this.#networks.delete(networkId);
    await Promise.allSettled(network.leaving.values());
    await this.#removeParents((id) => this.#networks.has(id));
  }

  async join(request: JoinRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    signal?.throwIfAborted();
    const { networkId, endpointId } = request;
    await this.#networks.get(networkId)?.leaving.get(endpointId);
    const network = networkOf(this.#networks, networkId);
    const known = network.endpoints.get(endpointId);
    if (known !== undefined) return network.moveDefaultRoute(known, request).joined;
    checkRequest(request);
    const joined = network.describe(request);
    plug(this.host.netlink, this.host.owner, { network, request, macAddress: joined.macAddress });
    network.endpoints.set(endpointId, { request, joined });
    return joined;
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    const network = this.#networks.get(networkId);
    const endpoint = network?.endpoints.get(endpointId);
    if (network === undefined || endpoint === undefined) return network?.leaving.get(endpointId);
    network.endpoints.delete(endpointId);
    await network.untilGone(endpointId, unplug(this.host.owner, endpoint.request));
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    this.#networks.clear();
    const wanted = new Set(networks.map(({ id }) => id));
    await this.#removeParents((id) => wanted.has(id));
    for (const spec of networks) this.#attempt({ networkId: spec.id }, () => this.#add(spec));
    for (const { request, joined } of endpoints) {
      const network = this.#networks.get(request.networkId);
      if (network === undefined) continue;
      network.endpoints.set(request.endpointId, { request, joined });
      this.#attempt({ networkId: network.id, endpointId: request.endpointId }, () => this.#replug(network, request));
    }
  }

  #add(spec: NetworkSpec): void {
    this.validate(spec);
    const network = new MacvlanNetwork(spec, parseMacvlanOptions(spec.options));
    refuseSharedParent(network, this.#networks.values());
    ensureParent(this.host.netlink, this.host.owner, network);
    this.#networks.set(spec.id, network);
  }

  #replug(network: MacvlanNetwork, request: JoinRequest): void {
    if (isPlugged(this.host.owner, request) !== false) return;
    this.host.log.warn(
      { event: 'endpoint.restore', networkId: network.id, endpointId: request.endpointId },
      'the interface of an endpoint was gone: it is made again',
    );
    const { macAddress } = network.endpoints.get(request.endpointId)?.joined ?? network.describe(request);
    plug(this.host.netlink, this.host.owner, { network, request, macAddress });
  }

  /** One thing that cannot be restored is reported, and keeps the others from nothing. */
  #attempt(what: Readonly<Record<string, string>>, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.host.log.error({ event: 'network.restore', ...what, reason: messageOf(error) }, 'not restored');
    }
  }

  async #removeParents(isWanted: (networkId: string) => boolean): Promise<void> {
    const { netlink, owner } = this.host;
    const names = findOwnParents(netlink, owner, isWanted).map(({ name }) => name);
    if (names.length === 0) return;
    try {
      await netlink.apply((changes) => changes.deleteLinks(names));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    }
  }
}
