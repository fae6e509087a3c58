import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { Firewall } from './firewall/firewall.js';
import { LinkRemoval } from './links/link-removal.js';
import { NetworkSetup } from './network-setup.js';
import { NetworkTable } from './network-table.js';
import { closePorts } from './ports/close-ports.js';
import { HostWatch } from './repair/host-watch.js';
import { TableClaim } from './table-claim.js';

/** Starts and stops the driver. */
@injectable()
export class BridgeLifecycle implements DriverLifecycle {
  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(NetworkSetup) private readonly setup: NetworkSetup,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(LinkRemoval) private readonly removal: LinkRemoval,
    @inject(HostWatch) private readonly watch: HostWatch,
    @inject(TableClaim) private readonly claim: TableClaim,
  ) {}

  async start(): Promise<void> {
    await this.claim.acquire();
    this.watch.start();
  }

  /**
   * Containers keep running with their bridges and rules: only what the process itself holds is released. When no
   * container is connected, everything is removed from the host; `restore` creates the networks again.
   */
  async stop(): Promise<void> {
    this.watch.stop();
    await this.removal.idle();
    const endpoints = [...this.networks.endpoints()];
    for (const { ports } of endpoints) closePorts(ports);
    if (endpoints.length > 0) return;
    await Promise.all([...this.networks.values()].map((network) => this.setup.remove(network)));
    this.firewall.withdraw();
  }
}
