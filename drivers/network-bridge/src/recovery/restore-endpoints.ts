import type { RestoredEndpoint } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import type { Link, NetlinkSocket } from '@gantry/lib-linux/netlink';
import type { BridgeEndpoint } from '../bridge-network.js';
import { HostNetlink } from '../kernel-sessions.js';
import { NetworkTable } from '../network-table.js';
import { closePorts } from '../ports/close-ports.js';
import { RestoreLinks } from './restore-links.js';
import { RestorePorts } from './restore-ports.js';

/** Restores the endpoints on networks that are restored already. */
@injectable()
export class RestoreEndpoints {
  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(HostNetlink) private readonly netlink: NetlinkSocket,
    @inject(RestoreLinks) private readonly restoreLinks: RestoreLinks,
    @inject(RestorePorts) private readonly restorePorts: RestorePorts,
  ) {}

  /**
   * @param links those that exist, by endpoint id.
   * @param before the endpoints until now, whose ports are kept or released.
   */
  restore(
    endpoints: readonly RestoredEndpoint[],
    links: ReadonlyMap<string, Link>,
    before: readonly BridgeEndpoint[],
  ): void {
    const heldBefore = new Map(before.map(({ request, ports }) => [request.endpointId, ports]));
    const bridges = new Map([...this.networks].map(([id, { bridge }]) => [id, this.netlink.link(bridge)?.index]));
    for (const endpoint of endpoints) {
      const { networkId, endpointId } = endpoint.request;
      const network = this.networks.get(networkId);
      if (network === undefined) continue;
      const veth = this.restoreLinks.restore(network, endpoint, links.get(endpointId), bridges.get(networkId));
      const ports = this.restorePorts.restore(endpoint, heldBefore.get(endpointId) ?? []);
      network.endpoints.set(endpointId, { ...endpoint, veth, ports });
    }
    const kept = new Set([...this.networks.endpoints()].flatMap(({ ports }) => ports));
    for (const { ports } of before) closePorts(ports.filter((port) => !kept.has(port)));
  }
}
