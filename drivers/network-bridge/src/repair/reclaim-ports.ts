import { inject, injectable, Logger } from '@gantry/core/driver';
import { type BridgeEndpoint, type BridgeNetwork, endpointRules } from '../bridge-network.js';
import { Firewall } from '../firewall/firewall.js';
import type { HeldPort } from '../ports/held-port.js';
import { HostPorts } from '../ports/host-ports.js';
import { isSamePort } from '../ports/is-same-port.js';
import { servePorts } from '../ports/serve-ports.js';

/** Reserves ports again that another program had bound while the daemon was down. */
@injectable()
export class ReclaimPorts {
  constructor(
    @inject(HostPorts) private readonly hostPorts: HostPorts,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Changes nothing while no lost port of the endpoint is free again. */
  reclaim(network: BridgeNetwork, endpoint: BridgeEndpoint): void {
    const reclaimed = this.#reserveLost(endpoint);
    if (reclaimed.length === 0) return;
    const { endpointId } = endpoint.request;
    const restored = { ...endpoint, ports: [...endpoint.ports, ...reclaimed] };
    this.firewall.removeEndpoint(endpointId);
    this.firewall.addEndpoint(endpointRules(restored));
    network.endpoints.set(endpointId, restored);
    servePorts(restored);
    this.log.info({ event: 'port.reclaimed', endpointId }, 'a lost published port is free again and was reclaimed');
  }

  #reserveLost({ joined, ports }: BridgeEndpoint): readonly HeldPort[] {
    if (ports.length >= joined.ports.length) return [];
    const lost = joined.ports.filter((published) => !ports.some((port) => isSamePort(port.published, published)));
    return lost.flatMap((published) => this.hostPorts.reclaim(published) ?? []);
  }
}
