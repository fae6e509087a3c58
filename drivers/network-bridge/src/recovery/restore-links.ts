import type { RestoredEndpoint } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import type { Link } from '@gantry/lib-linux/netlink';
import type { BridgeNetwork } from '../bridge-network.js';
import { EndpointLinks } from '../links/endpoint-links.js';

/** Connects an endpoint of an earlier daemon with its bridge. */
@injectable()
export class RestoreLinks {
  constructor(
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Attaches an endpoint's links to the bridge of the given index, or creates them.
   * @returns the name of the host's end; undefined when the sandbox is gone or creating failed, which is logged.
   */
  restore(
    network: BridgeNetwork,
    { request, joined }: RestoredEndpoint,
    present: Link | undefined,
    bridge: number | undefined,
  ): string | undefined {
    const facts = { event: 'endpoint.restore', networkId: network.id, endpointId: request.endpointId };
    try {
      if (present !== undefined) {
        // The usual case after a restart: another netlink request for each endpoint would take most of the time.
        if (present.up && present.master === bridge) return present.name;
        this.links.attach(network, present.index);
        return present.name;
      }
      if (!this.namespaces.isNamespace(request.sandbox.path)) {
        this.log.warn(facts, 'the sandbox of an endpoint is gone');
        return undefined;
      }
      this.log.warn(facts, 'the links of an endpoint were missing; creating them again');
      return this.links.plug({ network, request, macAddress: joined.macAddress });
    } catch (error) {
      this.log.error({ ...facts, error }, 'failed to restore an endpoint');
      return present?.name;
    }
  }
}
