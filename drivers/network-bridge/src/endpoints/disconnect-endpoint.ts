import { inject, injectable } from '@gantry/core/driver';
import type { BridgeEndpoint, BridgeNetwork } from '../bridge-network.js';
import { Firewall } from '../firewall/firewall.js';
import { LinkRemoval } from '../links/link-removal.js';
import { EndpointPorts } from './endpoint-ports.js';

/** Takes an endpoint off its network. */
@injectable()
export class DisconnectEndpoint {
  constructor(
    @inject(EndpointPorts) private readonly ports: EndpointPorts,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(LinkRemoval) private readonly removal: LinkRemoval,
  ) {}

  /** Resolves once the links are gone. */
  async disconnect(network: BridgeNetwork, endpoint: BridgeEndpoint): Promise<void> {
    const { endpointId } = endpoint.request;
    network.endpoints.delete(endpointId);
    this.ports.withdraw(endpoint);
    this.firewall.setLinks(network.id, network.links);
    if (endpoint.veth !== undefined) await network.trackLeaving(endpointId, this.removal.remove(endpoint.veth));
  }
}
