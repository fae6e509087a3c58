import { inject, injectable } from '@gantry/core/driver';
import { defaultRoutes } from '../networks/default-routes.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import type { Attachment } from '../service.js';
import type { EndpointRecord, NetworkRecord } from '../store/records.js';
import { type EndpointOwner, PrepareEndpoint } from './prepare-endpoint.js';
import { ReleaseAddresses } from './release-addresses.js';

/** Prepares the endpoints of a container that is about to start: which carries the default route, which publishes. */
@injectable()
export class PrepareEndpoints {
  constructor(
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(PrepareEndpoint) private readonly prepareEndpoint: PrepareEndpoint,
    @inject(ReleaseAddresses) private readonly releaseAddresses: ReleaseAddresses,
  ) {}

  /** `networks[i]` is the network of `attachments[i]`. On rejection no address stays allocated. */
  async prepare(
    container: EndpointOwner,
    attachments: readonly Attachment[],
    networks: readonly NetworkRecord[],
  ): Promise<readonly EndpointRecord[]> {
    const routes = this.#defaultRoutes(attachments, networks);
    const publisher = networks.findIndex((network) => this.driverOf.canPublish(network));
    const allPorts = attachments.flatMap(({ ports }) => ports);
    const records: EndpointRecord[] = [];
    try {
      for (const [index, requested] of attachments.entries()) {
        const network = networks[index] as NetworkRecord;
        const attachment = { ...requested, ports: index === publisher ? allPorts : [] };
        const plan = { container, attachment, network, earlier: records, defaultRoute: routes[index] ?? false };
        records.push(await this.prepareEndpoint.prepare(plan));
      }
    } catch (error) {
      for (const record of records) await this.releaseAddresses.release(record);
      throw error;
    }
    return records;
  }

  #defaultRoutes(
    attachments: readonly Attachment[],
    networks: readonly NetworkRecord[],
  ): ReturnType<typeof defaultRoutes> {
    const priorityOf = (index: number) => attachments[index]?.gatewayPriority;
    return defaultRoutes(networks.map((network, index) => this.driverOf.routeCandidate(network, priorityOf(index))));
  }
}
