import type { NetworkSpec, RestoredEndpoint } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { endpointRules } from '../bridge-network.js';
import { Firewall } from '../firewall/firewall.js';
import { LinkRemoval } from '../links/link-removal.js';
import { NetworkTable } from '../network-table.js';
import { servePorts } from '../ports/serve-ports.js';
import { OwnLinks } from './own-links.js';
import { RestoreBridges } from './restore-bridges.js';
import { RestoreEndpoints } from './restore-endpoints.js';

/** Reconciles the kernel with the networks and endpoints of the engine. */
@injectable()
export class RestoreNetworks {
  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(OwnLinks) private readonly ownLinks: OwnLinks,
    @inject(RestoreBridges) private readonly restoreBridges: RestoreBridges,
    @inject(RestoreEndpoints) private readonly restoreEndpoints: RestoreEndpoints,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(LinkRemoval) private readonly removal: LinkRemoval,
  ) {}

  /** Resolves once orphaned links are gone, too. */
  async restore(specs: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    const links = this.ownLinks.find(specs, endpoints);
    const removed = Promise.all(links.orphans.map((name) => this.removal.remove(name)));
    const before = [...this.networks.endpoints()];
    this.networks.clear();
    this.restoreBridges.restore(specs);
    this.restoreEndpoints.restore(endpoints, links.endpoints, before);
    this.#replaceRules();
    for (const endpoint of this.networks.endpoints()) servePorts(endpoint);
    await removed;
  }

  #replaceRules(): void {
    const networks = [...this.networks.values()];
    this.firewall.replace(
      networks.map(({ rules }) => rules),
      [...this.networks.endpoints()].map(endpointRules),
      new Map(networks.map(({ id, links }) => [id, links])),
    );
  }
}
