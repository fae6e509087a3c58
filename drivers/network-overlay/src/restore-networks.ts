import type { NetworkSpec, RestoredEndpoint } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { EndpointLinks } from './links/endpoint-links.js';
import { NetworkNamespaces } from './links/network-namespaces.js';
import { NetworkTable } from './network-table.js';
import type { OverlayNetwork } from './overlay-network.js';

/** Reconciles the kernel with the networks and endpoints of the engine. */
@injectable()
export class RestoreNetworks {
  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(NetworkNamespaces) private readonly namespaces: NetworkNamespaces,
    @inject(Namespaces.token) private readonly files: Namespaces,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** What cannot be restored is logged and does not stop the others. */
  async restore(
    specs: readonly NetworkSpec[],
    endpoints: readonly RestoredEndpoint[],
    describe: (spec: NetworkSpec) => OverlayNetwork,
  ): Promise<void> {
    await this.namespaces.removeOrphans(specs.map(({ id }) => id));
    const before = new Map(this.networks);
    this.networks.clear();
    for (const spec of specs) {
      const own = endpoints.filter(({ request }) => request.networkId === spec.id);
      try {
        const network = describe(spec);
        network.peerSet = before.get(spec.id)?.peerSet;
        for (const endpoint of own) network.endpoints.set(endpoint.request.endpointId, endpoint);
        this.networks.set(spec.id, network);
        this.namespaces.ensure(network);
        await this.#restoreLinks(network);
      } catch (err) {
        this.log.error({ event: 'network.restore-failed', networkId: spec.id, err }, 'failed to restore a network');
      }
    }
  }

  async #restoreLinks(network: OverlayNetwork): Promise<void> {
    const missing = new Set(await this.links.removeOrphans(network, [...network.endpoints.keys()]));
    for (const [endpointId, { joined, request }] of network.endpoints) {
      if (!missing.has(endpointId)) continue;
      const facts = { event: 'endpoint.restore', networkId: network.id, endpointId };
      if (!this.files.isNamespace(request.sandbox.path)) {
        this.log.warn(facts, 'the sandbox of an endpoint is gone');
        continue;
      }
      this.log.warn(facts, 'the link of an endpoint was missing; creating it again');
      this.links.plug({ network, request, macAddress: joined.macAddress });
    }
  }
}
