import type { PortRequest } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { Config, inject, injectable } from '@gantry/core/driver';
import { type BridgeEndpoint, type BridgeNetwork, endpointRules } from '../bridge-network.js';
import type { BridgeConfig } from '../config.js';
import { Firewall } from '../firewall/firewall.js';
import { closePorts } from '../ports/close-ports.js';
import type { HeldPort } from '../ports/held-port.js';
import { HostPorts } from '../ports/host-ports.js';
import { servePorts } from '../ports/serve-ports.js';
import { UdpFlows } from '../ports/udp-flows.js';

/** The published ports of endpoints, with the rules that translate their addresses. */
@injectable()
export class EndpointPorts {
  constructor(
    @inject(Config) private readonly config: Pick<BridgeConfig, 'hostIp'>,
    @inject(HostPorts) private readonly hostPorts: HostPorts,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(UdpFlows) private readonly flows: UdpFlows,
  ) {}

  /**
   * Reserves ports of the host; none for an internal network. A request without a host address gets the network's or the
   * driver's; without one of these, every address.
   */
  reserve({ options, spec }: BridgeNetwork, requested: readonly PortRequest[]): readonly HeldPort[] {
    if (spec.internal) return [];
    const address = options.hostIp ?? this.config.hostIp;
    return this.hostPorts.reserve(requested, address === '' || address === '0.0.0.0' ? undefined : address);
  }

  /** Makes an endpoint reachable at the ports it holds. On a throw its rules are not there and its ports are released. */
  publish(endpoint: BridgeEndpoint): void {
    try {
      this.firewall.addEndpoint(endpointRules(endpoint));
      crashPoint('bridge.endpoint.ruled');
      this.flows.forgetOlderFlows(endpoint.joined.ports);
      servePorts(endpoint);
    } catch (error) {
      closePorts(endpoint.ports);
      this.firewall.removeEndpoint(endpoint.request.endpointId);
      throw error;
    }
  }

  /** Removes the rules of an endpoint and releases its ports. */
  withdraw({ request, joined, ports }: BridgeEndpoint): void {
    this.firewall.removeEndpoint(request.endpointId);
    closePorts(ports);
    this.flows.forgetFlowsTo(request, joined.ports);
  }
}
