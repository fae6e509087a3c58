import { isDeepStrictEqual } from 'node:util';
import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import type { DriverLifecycle } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { checkRequest, networkOf } from '@gantry/lib-network';
import { type BridgeEndpoint, type BridgeNetwork, endpointRules } from './bridge-network.js';
import type { Config } from './config.js';
import { closePorts, connect, type Host, publish, servePorts, unpublish } from './connect.js';
import { describeNetwork, refuseConflicts } from './describe-network.js';
import { Forwarding } from './forwarding.js';
import { ensureBridge, isIntact, removableBridge } from './links/bridge-link.js';
import { attach, vethOf } from './links/endpoint-link.js';
import { LinkRemoval } from './links/link-removal.js';
import { parseBridgeOptions } from './options/bridge-options.js';
import { forgetFlowsTo } from './ports/forget-flows.js';
import { HostPorts } from './ports/host-ports.js';
import { findOwnLinks, reclaimPorts, restoreLinks, restorePorts } from './restore.js';

/**
 * Networks as bridges of the host. Every change but the deletion of links is synchronous, so that calls never find each
 * other half done.
 */
export class BridgeNetworks implements NetworkDriver, DriverLifecycle {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: true,
    addresses: true,
    publish: true,
    hostStack: false,
  };

  readonly #networks = new Map<string, BridgeNetwork>();
  /** Networks whose bridges the kernel is still taking down. */
  readonly #removing = new Map<string, Promise<void>>();
  readonly #ports = new HostPorts();
  readonly #removal: LinkRemoval;
  #isStopping = false;
  readonly #forwarding: Forwarding;

  constructor(
    private readonly config: Config,
    private readonly host: Host,
  ) {
    this.#removal = new LinkRemoval(host.netlink);
    this.#forwarding = new Forwarding(config.ipForward, host.log);
  }

  /**
   * Containers go on running, with their bridges and rules: only what the process itself holds is given back. When no
   * container is connected, nothing of the engine stays on the host; `restore` makes the networks again.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#removal.idle();
    const endpoints = [...this.#endpoints()];
    for (const { ports } of endpoints) closePorts(ports);
    if (endpoints.length > 0) return;
    await Promise.all([...this.#networks.values()].map((network) => this.#takeDown(network)));
    this.host.firewall.withdraw();
  }

  validate(network: NetworkSpec): void {
    parseBridgeOptions(network.options);
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    await Promise.allSettled(this.#removing.values());
    if (this.#networks.has(spec.id)) return;
    const network = describeNetwork(spec, this.config, this.host.netlink);
    refuseConflicts(network, this.#networks.values());
    const isNew = this.host.netlink.link(network.bridge) === undefined;
    try {
      this.#ensure(network);
      this.host.firewall.addNetwork(network.rules);
      this.#networks.set(spec.id, network);
    } catch (error) {
      if (isNew) await this.#removal.remove(network.bridge);
      throw error;
    }
  }

  async removeNetwork(networkId: string): Promise<void> {
    const network = this.#networks.get(networkId);
    if (network === undefined) return this.#removing.get(networkId);
    network.refuseRemovalInUse();
    this.#networks.delete(networkId);
    const removed = this.#takeDown(network).finally(() => this.#removing.delete(networkId));
    this.#removing.set(networkId, removed);
    await removed;
  }

  async join(request: JoinRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    signal?.throwIfAborted();
    const { networkId, endpointId } = request;
    await this.#networks.get(networkId)?.leaving.get(endpointId);
    const network = networkOf(this.#networks, networkId);
    const known = network.endpoints.get(endpointId);
    if (known !== undefined) return this.#joinAgain(network, known, request);
    checkRequest(request);
    const ports = network.spec.internal ? [] : this.#ports.hold(request.ports, this.#presetHostIp(network));
    try {
      return connect(this.host, network, request, ports).joined;
    } catch (error) {
      closePorts(ports);
      this.host.firewall.removeEndpoint(endpointId);
      const veth = vethOf(this.host.netlink, this.host.owner, endpointId);
      if (veth !== undefined) await this.#removal.remove(veth);
      throw error;
    }
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    const network = this.#networks.get(networkId);
    const endpoint = network?.endpoints.get(endpointId);
    if (network === undefined || endpoint === undefined) return network?.leaving.get(endpointId);
    network.endpoints.delete(endpointId);
    this.host.firewall.removeEndpoint(endpointId);
    this.host.firewall.setLinks(networkId, network.links);
    closePorts(endpoint.ports);
    forgetFlowsTo(endpoint.request, endpoint.joined.ports, this.host.log);
    if (endpoint.veth !== undefined) await network.untilGone(endpointId, this.#removal.remove(endpoint.veth));
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    const own = findOwnLinks(this.host, networks, endpoints);
    const removed = Promise.all(own.leftovers.map((name) => this.#removal.remove(name)));
    const before = new Map([...this.#endpoints()].map((endpoint) => [endpoint.request.endpointId, endpoint]));
    this.#networks.clear();
    for (const spec of networks) this.#restoreNetwork(spec);
    const { netlink } = this.host;
    const bridges = new Map([...this.#networks].map(([id, { bridge }]) => [id, netlink.link(bridge)?.index]));
    for (const endpoint of endpoints) {
      const { networkId, endpointId } = endpoint.request;
      const network = this.#networks.get(networkId);
      if (network === undefined) continue;
      const veth = restoreLinks(this.host, network, endpoint, own.endpoints.get(endpointId), bridges.get(networkId));
      const ports = restorePorts(this.#ports, endpoint, before.get(endpointId), this.host.log);
      network.endpoints.set(endpointId, { ...endpoint, veth, ports });
    }
    const kept = new Set([...this.#endpoints()].flatMap(({ ports }) => ports));
    for (const { ports } of before.values()) closePorts(ports.filter((port) => !kept.has(port)));
    this.#replaceRules();
    for (const endpoint of this.#endpoints()) servePorts(endpoint);
    await removed;
  }

  /** Puts right what somebody has changed behind the engine's back. */
  check(): void {
    if (this.#isStopping) return;
    this.host.firewall.check();
    this.#forwarding.check();
    for (const network of this.#networks.values()) {
      for (const endpoint of network.endpoints.values()) this.#reclaimPorts(network, endpoint);
      if (isIntact(network)) continue;
      this.host.log.warn(
        { event: 'bridge.repair', networkId: network.id, bridge: network.bridge },
        'a bridge is put right',
      );
      this.#ensure(network);
      for (const { veth } of network.endpoints.values()) {
        if (veth !== undefined) attach(this.host.netlink, network, veth);
      }
    }
  }

  /** Takes ports back that another program had while the daemon was away. */
  #reclaimPorts(network: BridgeNetwork, endpoint: BridgeEndpoint): void {
    const ports = reclaimPorts(this.#ports, endpoint);
    if (ports === undefined) return;
    const { endpointId } = endpoint.request;
    const whole = { ...endpoint, ports };
    this.host.firewall.removeEndpoint(endpointId);
    this.host.firewall.addEndpoint(endpointRules(whole));
    network.endpoints.set(endpointId, whole);
    servePorts(whole);
    this.host.log.info({ event: 'port.back', endpointId }, 'a published port that was lost is free and ours again');
  }

  *#endpoints(): Generator<BridgeEndpoint> {
    for (const network of this.#networks.values()) yield* network.endpoints.values();
  }

  #ensure(network: BridgeNetwork): void {
    ensureBridge(this.host.netlink, this.host.owner, network);
    if (network.spec.internal) return;
    this.#forwarding.require('ipv4');
    if (network.spec.ipv6) this.#forwarding.require('ipv6');
  }

  async #takeDown(network: BridgeNetwork): Promise<void> {
    await Promise.allSettled(network.leaving.values());
    this.host.firewall.removeNetwork(network.id);
    const bridge = removableBridge(this.host.netlink, this.host.owner, network);
    if (bridge !== undefined) await this.#removal.remove(bridge);
  }

  /** The same endpoint: which of a sandbox's networks leads to the world, and from there to it, may have changed. */
  #joinAgain(network: BridgeNetwork, known: BridgeEndpoint, request: JoinRequest): JoinedEndpoint {
    const { ports } = request;
    const routed = network.moveDefaultRoute(known, request);
    if (network.spec.internal || isDeepStrictEqual(known.request.ports, ports)) return routed.joined;
    unpublish(this.host, network, routed);
    const held = this.#ports.hold(ports, this.#presetHostIp(network));
    return publish(this.host, network, routed, ports, held).joined;
  }

  /** One network that cannot be had must not keep the others from working. */
  #restoreNetwork(spec: NetworkSpec): void {
    try {
      const network = describeNetwork(spec, this.config, this.host.netlink);
      refuseConflicts(network, this.#networks.values());
      this.#networks.set(spec.id, network);
      this.#ensure(network);
    } catch (error) {
      const facts = { event: 'network.restore', networkId: spec.id, reason: messageOf(error) };
      this.host.log.error(facts, 'a network could not be restored');
    }
  }

  #replaceRules(): void {
    const networks = [...this.#networks.values()];
    this.host.firewall.replace(
      networks.map(({ rules }) => rules),
      [...this.#endpoints()].map(endpointRules),
      new Map(networks.map(({ id, links }) => [id, links])),
    );
  }

  /** Host address for ports that name none; undefined: every address, as 0.0.0.0 means in the configuration too. */
  #presetHostIp({ options }: BridgeNetwork): string | undefined {
    const address = options.hostIp ?? this.config.hostIp;
    return address === '' || address === '0.0.0.0' ? undefined : address;
  }
}
