import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { Config, type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { NetworksConfig } from '../config.js';
import { NetworkStore } from '../store/network-store.js';
import { SetUpNetwork } from './set-up-network.js';

/** Creates `bridge`, `host` and `none` where they are missing. */
@injectable()
export class EnsurePredefinedNetworks {
  constructor(
    @inject(Config) private readonly config: NetworksConfig,
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(SetUpNetwork) private readonly setUpNetwork: SetUpNetwork,
  ) {}

  async ensure(): Promise<void> {
    for (const [name, driver] of this.#driversByName()) {
      if (this.store.byName(name).length > 0) continue;
      const subnet = name === 'bridge' ? this.config.bridgeSubnet : undefined;
      await this.setUpNetwork.setUp(
        {
          name,
          driver,
          internal: false,
          ipv6: false,
          // Clients look for this option on the default network.
          options: name === 'bridge' ? { 'com.docker.network.bridge.default_bridge': 'true' } : {},
          labels: {},
          ipam: { driver: 'default', options: {} },
          pools: subnet === undefined ? [] : [{ subnet, auxiliary: {}, ipv6: false }],
        },
        { predefined: true },
      );
    }
  }

  /** `bridge` uses the default driver; `host` and `none` are the networks of the drivers that allow just one each. */
  #driversByName(): readonly (readonly [name: string, driver: string])[] {
    const single = [...this.drivers.entries()]
      .filter(([, driver]) => !driver.capabilities.userDefined)
      .map(([id]) => [id, id] as const);
    const { defaultId } = this.drivers;
    return defaultId === undefined ? single : [['bridge', defaultId], ...single];
  }
}
