import { inject, injectable, Logger } from '@gantry/core/driver';
import type { BridgeNetwork } from '../bridge-network.js';
import { Bridges } from '../links/bridges.js';
import { EndpointLinks } from '../links/endpoint-links.js';
import { NetworkSetup } from '../network-setup.js';

/** Restores a bridge that another program deleted or changed. */
@injectable()
export class RepairBridge {
  constructor(
    @inject(Bridges) private readonly bridges: Bridges,
    @inject(NetworkSetup) private readonly setup: NetworkSetup,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Changes nothing while the bridge is intact. */
  repair(network: BridgeNetwork): void {
    if (this.bridges.isIntact(network)) return;
    const facts = { event: 'bridge.repair', networkId: network.id, bridge: network.bridge };
    this.log.warn(facts, 'a bridge was modified externally; restoring it');
    this.setup.ensure(network);
    for (const { veth } of network.endpoints.values()) {
      if (veth !== undefined) this.links.attach(network, veth);
    }
  }
}
