import type { BalancedPort, BalancedService, LoadBalancerDriver, Sandbox } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Nftables } from '@gantry/lib-linux/nftables';
import { PublishPorts } from './mesh/publish-ports.js';
import { checkServices } from './services/check-services.js';
import { tableOf } from './services/table-of.js';
import { VirtualUdpFlows } from './services/virtual-udp-flows.js';

/**
 * Translates virtual addresses in the network namespace of each client, and published ports in that of the mesh. Connection
 * tracking keeps open connections where they are. Synchronous: calls take effect in their order, in about a millisecond
 * each.
 */
@injectable()
export class NftablesLoadBalancer implements LoadBalancerDriver {
  constructor(
    @inject(Nftables.token) private readonly nftables: Nftables,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(PublishPorts) private readonly publishPorts: PublishPorts,
    @inject(VirtualUdpFlows) private readonly flows: VirtualUdpFlows,
  ) {}

  async balance({ id, path }: Sandbox, services: readonly BalancedService[]): Promise<void> {
    checkServices(services);
    if (!this.namespaces.isNamespace(path)) throw notFound(`sandbox ${id} not found`);
    const session = this.nftables.open({ namespace: path });
    try {
      session.runSync(tableOf(services));
    } finally {
      session.close();
    }
    this.flows.follow(path, services);
  }

  async publish(mesh: Sandbox | undefined, ports: readonly BalancedPort[]): Promise<readonly BalancedPort[]> {
    return this.publishPorts.publish(mesh, ports);
  }
}
