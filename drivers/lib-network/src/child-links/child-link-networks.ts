import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import { type DriverLifecycle, inject, injectable, Logger } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { Netlink } from '@gantry/lib-linux/netlink';
import { checkRequest } from '../check-request.js';
import { NameReservation } from '../name-reservation.js';
import { networkOf } from '../network-of.js';
import { ChildLinkKind } from './child-link-kind.js';
import { ChildLinkNetwork } from './child-link-network.js';
import { EndpointLinks } from './endpoint-links.js';
import { ParentLinks, refuseSharedParent } from './parent-links.js';

/**
 * Networks whose containers have interfaces that the kernel puts on an interface of the host. Every change but the deletion
 * of links is synchronous: no call sees another one half done.
 */
@injectable()
export class ChildLinkNetworks implements NetworkDriver, DriverLifecycle {
  readonly capabilities: NetworkCapabilities;

  readonly #networks = new Map<string, ChildLinkNetwork>();

  constructor(
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(ParentLinks) private readonly parents: ParentLinks,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(Logger) private readonly log: Logger,
    @inject(ChildLinkKind) private readonly kind: ChildLinkKind,
    @inject(NameReservation) private readonly names: NameReservation,
  ) {
    this.capabilities = {
      scope: 'local',
      userDefined: true,
      addresses: true,
      publish: false,
      hostStack: false,
      ownMacAddresses: kind.ownHardwareAddress,
    };
  }

  /** Rejects EngineError `conflict` while another engine marks its links as this one would. */
  start(): Promise<void> {
    return this.names.acquire({ driver: `network/${this.kind.name}`, key: 'owner', value: this.kind.owner });
  }

  /** Containers keep running. When none is connected, the driver's links are removed from the host. */
  async stop(): Promise<void> {
    if ([...this.#networks.values()].some(({ endpoints }) => endpoints.size > 0)) return;
    await this.parents.removeUnwanted(() => false);
  }

  validate({ options, internal }: NetworkSpec): void {
    const { parent } = this.kind.parseOptions(options);
    if (internal && parent !== undefined) {
      throw invalidArgument(`invalid option parent: an internal network has no parent, such as "${parent}"`);
    }
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    const network = this.#networks.get(spec.id) ?? (await this.#addSupported(spec));
    if (network.options.parent === undefined) await this.parents.waitForCarrier(network.parent);
  }

  async removeNetwork(networkId: string): Promise<void> {
    const network = this.#networks.get(networkId);
    if (network === undefined) return;
    network.refuseRemovalInUse();
    this.#networks.delete(networkId);
    await Promise.allSettled(network.leaving.values());
    await this.parents.removeUnwanted((id) => this.#networks.has(id));
  }

  async join(request: JoinRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    signal?.throwIfAborted();
    const { networkId, endpointId } = request;
    await this.#networks.get(networkId)?.leaving.get(endpointId);
    const network = networkOf(this.#networks, networkId);
    const known = network.endpoints.get(endpointId);
    if (known !== undefined) return network.moveDefaultRoute(this.netlink, known, request).joined;
    checkRequest(request);
    if (request.macAddress && !this.kind.ownHardwareAddress) {
      const { name } = this.kind;
      throw invalidArgument(`invalid MAC address ${request.macAddress}: ${name} interfaces have that of their parent`);
    }
    const joined = network.describe(request);
    this.links.plug({ network, request, macAddress: joined.macAddress });
    network.endpoints.set(endpointId, { request, joined });
    return joined;
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    const network = this.#networks.get(networkId);
    const endpoint = network?.endpoints.get(endpointId);
    if (network === undefined || endpoint === undefined) return network?.leaving.get(endpointId);
    network.endpoints.delete(endpointId);
    await network.trackLeaving(endpointId, this.links.unplug(endpoint.request));
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    this.#networks.clear();
    const wanted = new Set(networks.map(({ id }) => id));
    await this.parents.removeUnwanted((id) => wanted.has(id));
    for (const spec of networks) this.#attempt({ networkId: spec.id }, () => this.#add(spec));
    for (const { request, joined } of endpoints) {
      const network = this.#networks.get(request.networkId);
      if (network === undefined) continue;
      network.endpoints.set(request.endpointId, { request, joined });
      this.#attempt({ networkId: network.id, endpointId: request.endpointId }, () => this.#replug(network, request));
    }
  }

  /** Adds a network on whose parent the kernel can put links. */
  async #addSupported(spec: NetworkSpec): Promise<ChildLinkNetwork> {
    const network = this.#add(spec);
    try {
      await this.links.probe(network);
      return network;
    } catch (error) {
      this.#networks.delete(spec.id);
      await this.parents.removeUnwanted((id) => this.#networks.has(id));
      throw error;
    }
  }

  #add(spec: NetworkSpec): ChildLinkNetwork {
    this.validate(spec);
    const network = new ChildLinkNetwork(spec, this.kind);
    refuseSharedParent(network, this.#networks.values());
    this.parents.ensure(network);
    this.#networks.set(spec.id, network);
    return network;
  }

  #replug(network: ChildLinkNetwork, request: JoinRequest): void {
    if (this.links.isPlugged(request) !== false) return;
    const facts = { event: 'endpoint.restore', networkId: network.id, endpointId: request.endpointId };
    this.log.warn(facts, 'the interface of an endpoint was missing; creating it again');
    const { macAddress } = network.endpoints.get(request.endpointId)?.joined ?? network.describe(request);
    this.links.plug({ network, request, macAddress });
  }

  /** A failure is logged and does not stop the others. */
  #attempt(ids: Readonly<Record<string, string>>, action: () => void): void {
    try {
      action();
    } catch (error) {
      const facts = { event: 'network.restore-failed', ...ids, error };
      this.log.error(facts, 'failed to restore a network or an endpoint');
    }
  }
}
