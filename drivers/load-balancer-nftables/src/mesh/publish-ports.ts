import type { BalancedPort, Sandbox } from '@gantry/core/contracts';
import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Nftables } from '@gantry/lib-linux/nftables';
import { checkPorts } from './check-ports.js';
import { HeldPorts } from './held-ports.js';
import { hostTable, removeTable } from './host-table.js';
import { MeshLink } from './mesh-link.js';
import { meshTable } from './mesh-table.js';
import { UdpFlows } from './udp-flows.js';

/** Published ports of the host. Synchronous: calls take effect in their order. */
@injectable()
export class PublishPorts implements DriverLifecycle {
  #published: readonly BalancedPort[] = [];

  constructor(
    @inject(Nftables.token) private readonly nftables: Nftables,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(MeshLink) private readonly link: MeshLink,
    @inject(HeldPorts) private readonly held: HeldPorts,
    @inject(UdpFlows) private readonly flows: UdpFlows,
  ) {}

  /** Removes what a daemon that was killed has left. */
  async start(): Promise<void> {
    if (this.link.isPresent()) this.#withdraw();
  }

  async stop(): Promise<void> {
    if (this.#published.length > 0) this.#withdraw();
  }

  /** @returns ports that another program has bound. */
  publish(mesh: Sandbox | undefined, ports: readonly BalancedPort[]): readonly BalancedPort[] {
    checkPorts(ports);
    if (ports.length === 0) {
      this.#withdraw();
      return [];
    }
    if (mesh === undefined || !this.namespaces.isNamespace(mesh.path)) {
      throw notFound(`sandbox ${mesh?.id ?? 'of the mesh'} not found`);
    }
    const taken = ports.filter((port) => !this.held.hold(port));
    const published = ports.filter((port) => !taken.includes(port));
    this.link.ensure(mesh.path);
    this.#run(meshTable(published, this.link.subnetsBeside(mesh.path)), mesh.path);
    this.#run(hostTable(published));
    this.flows.forget(mesh.path, this.#published, published);
    this.held.retain(published);
    this.#published = published;
    return taken;
  }

  #withdraw(): void {
    this.#run(removeTable);
    this.link.remove(); // last: a daemon that is killed before finds by it that there is something to remove
    this.flows.forget(undefined, this.#published, []);
    this.held.retain([]);
    this.#published = [];
  }

  #run(commands: string, namespace?: string): void {
    const session = this.nftables.open(namespace === undefined ? {} : { namespace });
    try {
      session.runSync(commands);
    } finally {
      session.close();
    }
  }
}
