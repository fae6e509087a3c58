import type { AnswerPath, BalancedPort, BalancedService, LoadBalancerDriver, Sandbox } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Nftables } from '@gantry/lib-linux/nftables';
import { AnswerPaths } from './answers/answer-paths.js';
import { checkPath } from './answers/answer-table.js';
import { KernelProbe } from './answers/kernel-probe.js';
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
    @inject(AnswerPaths) private readonly answerPaths: AnswerPaths,
    @inject(KernelProbe) private readonly probe: KernelProbe,
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

  async clientAddressObstacle(): Promise<string | undefined> {
    return this.probe.obstacle();
  }

  async answerThrough({ id, path }: Sandbox, answers: AnswerPath | undefined): Promise<void> {
    if (answers !== undefined) checkPath(answers);
    if (!this.namespaces.isNamespace(path)) throw notFound(`sandbox ${id} not found`);
    if (answers === undefined) this.answerPaths.remove(path);
    else this.answerPaths.set(path, answers);
  }
}
