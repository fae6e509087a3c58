import { isDeepStrictEqual } from 'node:util';
import type { JoinedEndpoint, JoinRequest, PortRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { Netlink } from '@gantry/lib-linux/netlink';
import type { BridgeEndpoint, BridgeNetwork } from '../bridge-network.js';
import { EndpointPorts } from './endpoint-ports.js';

/** Applies a repeated request, whose default route and published ports may differ. */
@injectable()
export class UpdateEndpoint {
  constructor(
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(EndpointPorts) private readonly ports: EndpointPorts,
  ) {}

  /** On a throw no port is published. */
  update(network: BridgeNetwork, known: BridgeEndpoint, request: JoinRequest): JoinedEndpoint {
    const routed = network.moveDefaultRoute(this.netlink, known, request);
    if (network.spec.internal || isDeepStrictEqual(known.request.ports, request.ports)) return routed.joined;
    this.#unpublish(network, routed);
    return this.#publish(network, routed, request.ports).joined;
  }

  #unpublish(network: BridgeNetwork, endpoint: BridgeEndpoint): void {
    const { request, joined } = endpoint;
    this.ports.withdraw(endpoint);
    const bare = { ...endpoint, request: { ...request, ports: [] }, joined: { ...joined, ports: [] }, ports: [] };
    network.endpoints.set(request.endpointId, bare);
    this.ports.publish(bare);
  }

  #publish(network: BridgeNetwork, endpoint: BridgeEndpoint, requested: readonly PortRequest[]): BridgeEndpoint {
    const ports = this.ports.reserve(network, requested);
    const joined = { ...endpoint.joined, ports: ports.map(({ published }) => published) };
    const published = { ...endpoint, request: { ...endpoint.request, ports: requested }, joined, ports };
    this.ports.publish(published);
    network.endpoints.set(endpoint.request.endpointId, published);
    return published;
  }
}
