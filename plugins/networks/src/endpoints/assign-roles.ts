import { isDeepStrictEqual } from 'node:util';
import { type PortRequest, type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { defaultRoutes } from '../networks/default-routes.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord, NetworkRecord } from '../store/records.js';
import { JoinEndpoint } from './join-endpoint.js';

/** Gives the default routes and the published ports of a running container to those of its endpoints that they belong to. */
@injectable()
export class AssignRoles {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(JoinEndpoint) private readonly joinEndpoint: JoinEndpoint,
  ) {}

  /**
   * `ports` are those of an endpoint that has left; the first network that can publish takes them. Changes every endpoint
   * that it can, then rejects as the first driver that failed: the container lacks that route or those ports.
   */
  async assign(containerId: string, ports: readonly PortRequest[] = []): Promise<void> {
    const endpoints = this.store.endpointsOf(containerId);
    const sandbox = await this.sandboxes.get().get(containerId);
    if (sandbox === undefined) return;
    const failures: unknown[] = [];
    for (const endpoint of this.#changed(endpoints, ports)) {
      // Without its successor, the endpoint that has a route keeps it.
      if (failures.length > 0 && endpoint.request.defaultRoute === false) continue;
      try {
        const network = this.#networkOf(endpoint.networkId);
        await this.driverOf.asOneCall([network], 'moving routes and ports', async () =>
          this.store.change({ endpoints: [await this.joinEndpoint.join(endpoint, sandbox)] }),
        );
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Those that get a default route first: setting a route replaces the one by another interface, without a gap. */
  #changed(endpoints: readonly EndpointRecord[], ports: readonly PortRequest[]): readonly EndpointRecord[] {
    const candidates = endpoints.map(({ networkId, gatewayPriority }) =>
      this.driverOf.routeCandidate(this.#networkOf(networkId), gatewayPriority),
    );
    const routes = defaultRoutes(candidates);
    const publisher = endpoints.find(({ networkId }) => this.driverOf.canPublish(this.#networkOf(networkId)));
    return endpoints
      .map((endpoint, index) => {
        const { request } = endpoint;
        const defaultRoute = routes[index] ?? false;
        const published = endpoint === publisher && ports.length > 0 ? ports : request.ports;
        return { ...endpoint, request: { ...request, defaultRoute, ports: published } };
      })
      .filter(({ request }, index) => !isDeepStrictEqual(request, endpoints[index]?.request))
      .sort((one, other) => Number(other.request.defaultRoute !== false) - Number(one.request.defaultRoute !== false));
  }

  /** A network exists while it has endpoints. */
  #networkOf(networkId: string): NetworkRecord {
    return this.store.resolve(networkId);
  }
}
