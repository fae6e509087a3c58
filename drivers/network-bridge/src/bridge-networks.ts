import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import { type DriverLifecycle, inject, injectable, Logger } from '@gantry/core/driver';
import type { NetlinkSocket } from '@gantry/lib-linux/netlink';
import { networkOf } from '@gantry/lib-network';
import { endpointRules } from './bridge-network.js';
import { EndpointConnector } from './endpoint-connector.js';
import { EndpointRestorer } from './endpoint-restorer.js';
import { Firewall } from './firewall/firewall.js';
import { HostWatch } from './host-watch.js';
import { HostNetlink } from './kernel-sessions.js';
import { LinkRemoval } from './links/link-removal.js';
import { NetworkSetup } from './network-setup.js';
import { NetworkTable } from './network-table.js';
import { parseBridgeOptions } from './options/parse-bridge-options.js';
import { closePorts } from './ports/close-ports.js';
import { servePorts } from './ports/serve-ports.js';

/**
 * Networks as bridges of the host. Every change but the deletion of links is synchronous: no call sees another one
 * half done.
 */
@injectable()
export class BridgeNetworks implements NetworkDriver, DriverLifecycle {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: true,
    addresses: true,
    publish: true,
    hostStack: false,
  };

  /** Networks whose bridges the kernel is still deleting. */
  readonly #removing = new Map<string, Promise<void>>();

  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(NetworkSetup) private readonly setup: NetworkSetup,
    @inject(EndpointConnector) private readonly connector: EndpointConnector,
    @inject(EndpointRestorer) private readonly restorer: EndpointRestorer,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(LinkRemoval) private readonly removal: LinkRemoval,
    @inject(HostNetlink) private readonly netlink: NetlinkSocket,
    @inject(HostWatch) private readonly watch: HostWatch,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    this.watch.start();
  }

  /**
   * Containers keep running with their bridges and rules: only what the process itself holds is released. When no
   * container is connected, everything is removed from the host; `restore` creates the networks again.
   */
  async stop(): Promise<void> {
    this.watch.stop();
    await this.removal.idle();
    const endpoints = [...this.networks.endpoints()];
    for (const { ports } of endpoints) closePorts(ports);
    if (endpoints.length > 0) return;
    await Promise.all([...this.networks.values()].map((network) => this.setup.remove(network)));
    this.firewall.withdraw();
  }

  validate(network: NetworkSpec): void {
    parseBridgeOptions(network.options);
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    await Promise.allSettled(this.#removing.values());
    if (this.networks.has(spec.id)) return;
    const network = this.setup.describe(spec, this.networks.values());
    await this.setup.create(network);
    this.networks.set(spec.id, network);
  }

  async removeNetwork(networkId: string): Promise<void> {
    const network = this.networks.get(networkId);
    if (network === undefined) return this.#removing.get(networkId);
    network.refuseRemovalInUse();
    this.networks.delete(networkId);
    const removed = this.setup.remove(network).finally(() => this.#removing.delete(networkId));
    this.#removing.set(networkId, removed);
    await removed;
  }

  async join(request: JoinRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    signal?.throwIfAborted();
    const { networkId, endpointId } = request;
    await this.networks.get(networkId)?.leaving.get(endpointId);
    const network = networkOf(this.networks, networkId);
    const known = network.endpoints.get(endpointId);
    return known === undefined
      ? this.connector.connect(network, request)
      : this.connector.update(network, known, request);
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    const network = this.networks.get(networkId);
    const endpoint = network?.endpoints.get(endpointId);
    if (network === undefined || endpoint === undefined) return network?.leaving.get(endpointId);
    await this.connector.disconnect(network, endpoint);
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    const own = this.restorer.findOwnLinks(networks, endpoints);
    const removed = Promise.all(own.orphans.map((name) => this.removal.remove(name)));
    const before = new Map([...this.networks.endpoints()].map((endpoint) => [endpoint.request.endpointId, endpoint]));
    this.networks.clear();
    for (const spec of networks) this.#restoreNetwork(spec);
    const bridges = new Map([...this.networks].map(([id, { bridge }]) => [id, this.netlink.link(bridge)?.index]));
    for (const endpoint of endpoints) {
      const { networkId, endpointId } = endpoint.request;
      const network = this.networks.get(networkId);
      if (network === undefined) continue;
      const links = own.endpoints.get(endpointId);
      const veth = this.restorer.restoreLinks(network, endpoint, links, bridges.get(networkId));
      const ports = this.restorer.restorePorts(endpoint, before.get(endpointId));
      network.endpoints.set(endpointId, { ...endpoint, veth, ports });
    }
    const kept = new Set([...this.networks.endpoints()].flatMap(({ ports }) => ports));
    for (const { ports } of before.values()) closePorts(ports.filter((port) => !kept.has(port)));
    this.#replaceRules();
    for (const endpoint of this.networks.endpoints()) servePorts(endpoint);
    await removed;
  }

  /** A network that cannot be restored is logged and does not stop the others. */
  #restoreNetwork(spec: NetworkSpec): void {
    try {
      const network = this.setup.describe(spec, this.networks.values());
      this.networks.set(spec.id, network);
      this.setup.ensure(network);
    } catch (error) {
      const facts = { event: 'network.restore-failed', networkId: spec.id, error };
      this.log.error(facts, 'failed to restore a network');
    }
  }

  #replaceRules(): void {
    const networks = [...this.networks.values()];
    this.firewall.replace(
      networks.map(({ rules }) => rules),
      [...this.networks.endpoints()].map(endpointRules),
      new Map(networks.map(({ id, links }) => [id, links])),
    );
  }
}
