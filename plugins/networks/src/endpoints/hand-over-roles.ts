import { isDeepStrictEqual } from 'node:util';
import { type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord, NetworkRecord } from '../store/records.js';
import { JoinEndpoint } from './join-endpoint.js';

/** Moves the default route and the published ports of an endpoint that left to the container's other endpoints. */
@injectable()
export class HandOverRoles {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(JoinEndpoint) private readonly joinEndpoint: JoinEndpoint,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Never rejects for a driver's failure: the container then lacks the route or the ports, and that is logged. */
  async handOver({ containerId, id, request: { defaultRoute, ports } }: EndpointRecord): Promise<void> {
    const others = this.store.endpointsOf(containerId);
    const sandbox = await this.sandboxes.get().get(containerId);
    if (sandbox === undefined) return;
    const router = defaultRoute ? others.find((other) => this.driverOf.canRoute(this.#networkOf(other))) : undefined;
    const publisher = others.find((other) => this.driverOf.canPublish(this.#networkOf(other)));
    for (const other of others) {
      const request = {
        ...other.request,
        defaultRoute: other.request.defaultRoute || other === router,
        ports: other === publisher && ports.length > 0 ? ports : other.request.ports,
      };
      if (isDeepStrictEqual(request, other.request)) continue;
      try {
        await this.store.change({ endpoints: [await this.joinEndpoint.join({ ...other, request }, sandbox)] });
      } catch (error) {
        const facts = { event: 'endpoint.hand-over-failed', endpoint: id, error };
        this.log.error(facts, 'failed to move the default route or the published ports to another network');
      }
    }
  }

  /** A network exists while it has endpoints. */
  #networkOf({ networkId }: EndpointRecord): NetworkRecord {
    return this.store.resolve(networkId);
  }
}
