import { type DriverLifecycle, type DriverUse, inject, injectable } from '@gantry/core/driver';
import { RestoreNetworks } from './recovery/restore-networks.js';
import { NetworkRoutes } from './routes.js';
import { NetworkStore } from './store/network-store.js';

/** The hooks of the package: networks are restored before clients or other areas see them. */
@injectable()
export class NetworksPlugin implements DriverLifecycle {
  constructor(
    @inject(RestoreNetworks) private readonly restoreNetworks: RestoreNetworks,
    @inject(NetworkRoutes) private readonly routes: NetworkRoutes,
    @inject(NetworkStore) private readonly store: NetworkStore,
  ) {}

  async start(): Promise<void> {
    await this.restoreNetworks.restore();
    this.routes.start();
  }

  /** Endpoints are stored while their containers run. */
  driversInUse(): readonly DriverUse[] {
    return [...this.store.endpoints()].flatMap(({ containerId, networkId }) => {
      const network = this.store.network(networkId);
      if (network === undefined) return [];
      const user = `network ${network.name} of container ${containerId}`;
      return [
        { driver: `network/${network.driver}`, user },
        { driver: `ipam/${network.ipam.driver}`, user },
      ];
    });
  }
}
