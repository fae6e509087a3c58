import { type NetworkDriver, type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import {
  type DriverLifecycle,
  type DriverSet,
  type DriverUse,
  inject,
  injectable,
  type ReplacedDriver,
} from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { restoreDriver } from './recovery/restore-driver.js';
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
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
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
  /** Networks are stored whether they have endpoints or not. */
  driverReferences(): readonly DriverUse[] {
    return [...this.store.ownNetworks()].flatMap(({ driver, ipam, name }) => [
      { driver: `network/${driver}`, user: `network ${name}` },
      { driver: `ipam/${ipam.driver}`, user: `network ${name}` },
    ]);
  }

  /** Another version of a driver learns what there is as after a restart. */
  async driverReplaced({ name, driver }: ReplacedDriver): Promise<void> {
    const [kind, id = ''] = name.split('/');
    if (kind !== 'network') return;
    const newer = driver as NetworkDriver;
    if (newer.capabilities.peers === true) {
      throw conflict(`${name}: the newer version connects nodes of a swarm; it takes over when the daemon starts`);
    }
    await restoreDriver(id, newer, [...this.store.endpoints()], { store: this.store, sandboxes: this.sandboxes });
  }
}
