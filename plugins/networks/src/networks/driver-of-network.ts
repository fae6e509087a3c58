import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { asOneCall, type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { NetworkRecord } from '../store/records.js';
import type { RouteCandidate } from './default-routes.js';

/** The driver of each network, and what follows from its capabilities. */
@injectable()
export class DriverOfNetwork {
  constructor(@inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>) {}

  get(network: Pick<NetworkRecord, 'driver'>): NetworkDriver {
    return this.drivers.get(network.driver);
  }

  /**
   * Has a change of endpoints or networks count as one call of the drivers of these networks, up to what is stored of it: see
   * `asOneCall`. Drivers that are absent take no part.
   */
  asOneCall<T>(
    networks: readonly (Pick<NetworkRecord, 'driver'> | undefined)[],
    what: string,
    change: () => Promise<T>,
  ): Promise<T> {
    const ids = networks.flatMap((network) => network?.driver ?? []).filter((id) => this.drivers.has(id));
    return asOneCall(
      ids.map((id) => this.drivers.get(id)),
      what,
      change,
    );
  }

  /** `local` while the driver is absent. */
  scopeOf({ driver, swarm }: NetworkRecord): NetworkDriver['capabilities']['scope'] | 'swarm' {
    if (swarm !== undefined) return 'swarm';
    return this.drivers.has(driver) ? this.drivers.get(driver).capabilities.scope : 'local';
  }

  /** Containers on it use the host's own network stack. */
  hasHostStack(network: NetworkRecord): boolean {
    return this.get(network).capabilities.hostStack;
  }

  /** An internal network has no route to the outside, and without addresses there is nothing to route. */
  canRoute(network: NetworkRecord): boolean {
    const { addresses, routes = true } = this.get(network).capabilities;
    return !network.internal && addresses && routes;
  }

  /** How an endpoint on it counts for its container's default routes. */
  routeCandidate(network: NetworkRecord, priority = 0): RouteCandidate {
    const canRoute = this.canRoute(network);
    const { name: networkName, ipv4 = true, ipv6 } = network;
    return { networkName, priority, ipv4: canRoute && ipv4, ipv6: canRoute && ipv6 };
  }

  /** It leads outside only with the help of a gateway network. */
  needsGateway(network: NetworkRecord): boolean {
    return !network.internal && this.get(network).capabilities.routes === false;
  }

  /** Ports of a container are published on one network only: publishing twice would conflict with itself. */
  canPublish(network: NetworkRecord): boolean {
    return !network.internal && this.get(network).capabilities.publish;
  }

  /** User-defined networks have the embedded resolver, aliases and static addresses. */
  isUserDefined(network: NetworkRecord): boolean {
    return !network.predefined && this.get(network).capabilities.addresses;
  }
}
