import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import { Config, type DriverLifecycle, inject, injectable, Logger } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { Netlink } from '@gantry/lib-linux/netlink';
import { checkRequest, NameReservation, networkOf } from '@gantry/lib-network';
import type { MacvlanConfig } from './config.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { ParentLinks, refuseSharedParent } from './links/parent-links.js';
import { MacvlanNetwork } from './macvlan-network.js';
import { parseMacvlanOptions } from './options/macvlan-options.js';

/**
 * Networks whose containers have MAC addresses of their own on an interface of the host. Every change but the deletion
 * of links is synchronous: no call sees another one half done.
 */
@injectable()
export class MacvlanNetworks implements NetworkDriver, DriverLifecycle {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: true,
    addresses: true,
    publish: false,
    hostStack: false,
  };

  readonly #networks = new Map<string, MacvlanNetwork>();

  constructor(
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(ParentLinks) private readonly parents: ParentLinks,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(Logger) private readonly log: Logger,
    @inject(Config) private readonly config: MacvlanConfig,
    @inject(NameReservation) private readonly names: NameReservation,
  ) {}

  /** Rejects EngineError `conflict` while another engine marks its links as this one would. */
  start(): Promise<void> {
    return this.names.acquire({ driver: 'network/macvlan', key: 'owner', value: this.config.owner });
  }

  /** Containers keep running. When none is connected, the driver's links are removed from the host. */
  async stop(): Promise<void> {
    if ([...this.#networks.values()].some(({ endpoints }) => endpoints.size > 0)) return;
    await this.parents.removeUnwanted(() => false);
  }

  validate({ options, internal }: NetworkSpec): void {
    const { parent } = parseMacvlanOptions(options);
    if (internal && parent !== undefined) {
      throw invalidArgument(`invalid option parent: an internal network has no parent, such as "${parent}"`);
    }
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    if (!this.#networks.has(spec.id)) this.#add(spec);
    const network = this.#networks.get(spec.id);
    if (network?.options.parent === undefined && network !== undefined) {
      await this.parents.waitForCarrier(network.parent);
    }
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

  #add(spec: NetworkSpec): void {
    this.validate(spec);
    const network = new MacvlanNetwork(spec, parseMacvlanOptions(spec.options));
    refuseSharedParent(network, this.#networks.values());
    this.parents.ensure(network);
    this.#networks.set(spec.id, network);
  }

  #replug(network: MacvlanNetwork, request: JoinRequest): void {
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
