import { isDeepStrictEqual } from 'node:util';
import type { JoinedEndpoint, JoinRequest, PortRequest } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { Config, inject, injectable } from '@gantry/core/driver';
import { Netlink } from '@gantry/lib-linux/netlink';
import { checkRequest } from '@gantry/lib-network';
import { type BridgeEndpoint, type BridgeNetwork, endpointRules } from './bridge-network.js';
import type { BridgeConfig } from './config.js';
import { Firewall } from './firewall/firewall.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { LinkRemoval } from './links/link-removal.js';
import { closePorts } from './ports/close-ports.js';
import type { HeldPort } from './ports/held-port.js';
import { HostPorts } from './ports/host-ports.js';
import { servePorts } from './ports/serve-ports.js';
import { UdpFlows } from './ports/udp-flows.js';

/** Links, rules and ports of single endpoints. */
@injectable()
export class EndpointConnector {
  constructor(
    @inject(Config) private readonly config: BridgeConfig,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(HostPorts) private readonly hostPorts: HostPorts,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(UdpFlows) private readonly flows: UdpFlows,
    @inject(LinkRemoval) private readonly removal: LinkRemoval,
  ) {}

  /** On rejection nothing of the endpoint is left. */
  async connect(network: BridgeNetwork, request: JoinRequest): Promise<JoinedEndpoint> {
    checkRequest(request);
    const ports = network.spec.internal ? [] : this.#reservePorts(network, request.ports);
    try {
      return this.#connect(network, request, ports).joined;
    } catch (error) {
      closePorts(ports);
      this.firewall.removeEndpoint(request.endpointId);
      const veth = this.links.vethOf(request.endpointId);
      if (veth !== undefined) await this.removal.remove(veth);
      throw error;
    }
  }

  /** Applies a repeated request, whose default route and published ports may differ. On a throw no port is published. */
  update(network: BridgeNetwork, known: BridgeEndpoint, request: JoinRequest): JoinedEndpoint {
    const routed = network.moveDefaultRoute(this.netlink, known, request);
    if (network.spec.internal || isDeepStrictEqual(known.request.ports, request.ports)) return routed.joined;
    this.#unpublish(network, routed);
    return this.#publish(network, routed, request.ports).joined;
  }

  /** Resolves once the links are gone. */
  async disconnect(network: BridgeNetwork, endpoint: BridgeEndpoint): Promise<void> {
    const { endpointId } = endpoint.request;
    network.endpoints.delete(endpointId);
    this.firewall.removeEndpoint(endpointId);
    this.firewall.setLinks(network.id, network.links);
    closePorts(endpoint.ports);
    this.flows.forgetFlowsTo(endpoint.request, endpoint.joined.ports);
    if (endpoint.veth !== undefined) await network.trackLeaving(endpointId, this.removal.remove(endpoint.veth));
  }

  #connect(network: BridgeNetwork, request: JoinRequest, ports: readonly HeldPort[]): BridgeEndpoint {
    const joined = network.describe(
      request,
      ports.map(({ published }) => published),
    );
    const veth = this.links.plug({ network, request, macAddress: joined.macAddress });
    crashPoint('bridge.endpoint.plugged');
    const endpoint = { request, joined, veth, ports };
    this.firewall.addEndpoint(endpointRules(endpoint));
    crashPoint('bridge.endpoint.ruled');
    this.flows.forgetOlderFlows(joined.ports);
    servePorts(endpoint);
    network.endpoints.set(request.endpointId, endpoint);
    this.firewall.setLinks(network.id, network.links);
    return endpoint;
  }

  #unpublish(network: BridgeNetwork, endpoint: BridgeEndpoint): void {
    const { request, joined } = endpoint;
    this.firewall.removeEndpoint(request.endpointId);
    closePorts(endpoint.ports);
    this.flows.forgetFlowsTo(request, joined.ports);
    const bare = { ...endpoint, request: { ...request, ports: [] }, joined: { ...joined, ports: [] }, ports: [] };
    network.endpoints.set(request.endpointId, bare);
    this.firewall.addEndpoint(endpointRules(bare));
  }

  #publish(network: BridgeNetwork, endpoint: BridgeEndpoint, requested: readonly PortRequest[]): BridgeEndpoint {
    const ports = this.#reservePorts(network, requested);
    const joined = { ...endpoint.joined, ports: ports.map(({ published }) => published) };
    const published = { ...endpoint, request: { ...endpoint.request, ports: requested }, joined, ports };
    try {
      this.firewall.addEndpoint(endpointRules(published));
    } catch (error) {
      closePorts(ports);
      throw error;
    }
    this.flows.forgetOlderFlows(joined.ports);
    servePorts(published);
    network.endpoints.set(endpoint.request.endpointId, published);
    return published;
  }

  /** A request without a host address gets the network's or the driver's; without one of these, every address. */
  #reservePorts({ options }: BridgeNetwork, ports: readonly PortRequest[]): HeldPort[] {
    const address = options.hostIp ?? this.config.hostIp;
    return this.hostPorts.reserve(ports, address === '' || address === '0.0.0.0' ? undefined : address);
  }
}
