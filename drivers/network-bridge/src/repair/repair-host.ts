import { inject, injectable } from '@gantry/core/driver';
import { Firewall } from '../firewall/firewall.js';
import { Forwarding } from '../forwarding.js';
import { NetworkTable } from '../network-table.js';
import { ReclaimPorts } from './reclaim-ports.js';
import { RepairBridge } from './repair-bridge.js';

/** Repairs what other programs changed: rules, forwarding, bridges and ports. */
@injectable()
export class RepairHost {
  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(Forwarding) private readonly forwarding: Forwarding,
    @inject(RepairBridge) private readonly repairBridge: RepairBridge,
    @inject(ReclaimPorts) private readonly reclaimPorts: ReclaimPorts,
  ) {}

  repair(): void {
    this.firewall.check();
    this.forwarding.check();
    for (const network of this.networks.values()) {
      for (const endpoint of network.endpoints.values()) this.reclaimPorts.reclaim(network, endpoint);
      this.repairBridge.repair(network);
    }
  }
}
