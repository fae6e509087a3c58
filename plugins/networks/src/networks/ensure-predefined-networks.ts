import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { Config, type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument, kindOf, messageOf, unavailable } from '@gantry/core/errors';
import type { NetworksConfig } from '../config.js';
import { NetworkStore } from '../store/network-store.js';
import { type NetworkRequest, SetUpNetwork } from './set-up-network.js';

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
      const request: NetworkRequest = {
        name,
        driver,
        internal: false,
        ipv6: false,
        // Clients look for this option on the default network.
        options: name === 'bridge' ? { 'com.docker.network.bridge.default_bridge': 'true' } : {},
        labels: {},
        ipam: { driver: 'default', options: {} },
        pools: subnet === undefined ? [] : [{ subnet, auxiliary: {}, ipv6: false }],
      };
      try {
        await this.setUpNetwork.setUp(request, { predefined: true });
      } catch (error) {
        throw withKey(error, subnet);
      }
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

const subnetKey = 'config.plugins["networks"].bridgeSubnet';

/** Names the configuration key behind an invalid subnet, and the one to set where no subnet is free. */
function withKey(cause: unknown, subnet: string | undefined): unknown {
  const message = messageOf(cause);
  if (kindOf(cause) === 'invalid-argument' && subnet !== undefined) {
    return invalidArgument(`${subnetKey}: ${message}`, { cause });
  }
  if (kindOf(cause) === 'unavailable' && subnet === undefined) {
    return unavailable(`${message}; set ${subnetKey} to a subnet that is free on this host`, { cause });
  }
  return cause;
}
