import type { JoinedEndpoint, JoinRequest } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { checkRequest } from '@gantry/lib-network';
import type { BridgeEndpoint, BridgeNetwork } from '../bridge-network.js';
import { Firewall } from '../firewall/firewall.js';
import { EndpointLinks } from '../links/endpoint-links.js';
import { LinkRemoval } from '../links/link-removal.js';
import { closePorts } from '../ports/close-ports.js';
import type { HeldPort } from '../ports/held-port.js';
import { EndpointPorts } from './endpoint-ports.js';

/** Connects a sandbox with a network. */
@injectable()
export class ConnectEndpoint {
  constructor(
    @inject(EndpointPorts) private readonly ports: EndpointPorts,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(LinkRemoval) private readonly removal: LinkRemoval,
  ) {}

  /** On rejection nothing of the endpoint is left. */
  async connect(network: BridgeNetwork, request: JoinRequest): Promise<JoinedEndpoint> {
    checkRequest(request);
    const ports = this.ports.reserve(network, request.ports);
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

  #connect(network: BridgeNetwork, request: JoinRequest, ports: readonly HeldPort[]): BridgeEndpoint {
    const joined = network.describe(
      request,
      ports.map(({ published }) => published),
    );
    const veth = this.links.plug({ network, request, macAddress: joined.macAddress });
    crashPoint('bridge.endpoint.plugged');
    const endpoint = { request, joined, veth, ports };
    this.ports.publish(endpoint);
    network.endpoints.set(request.endpointId, endpoint);
    this.firewall.setLinks(network.id, network.links);
    return endpoint;
  }
}
