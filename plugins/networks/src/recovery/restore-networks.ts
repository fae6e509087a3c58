import { inject, injectable, Logger } from '@gantry/core/driver';
import { AddressPools } from '../addresses/address-pools.js';
import { EnsurePredefinedNetworks } from '../networks/ensure-predefined-networks.js';
import { NetworkStore } from '../store/network-store.js';

/** The first step after a restart: repairs the records of networks, reserves their pools, adds predefined networks. */
@injectable()
export class RestoreNetworks {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(AddressPools) private readonly addressPools: AddressPools,
    @inject(EnsurePredefinedNetworks) private readonly predefined: EnsurePredefinedNetworks,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async restore(): Promise<void> {
    await this.#repairRecords();
    for (const network of this.store.ownNetworks()) {
      if (network.configuration !== undefined || network.swarm !== undefined) continue;
      try {
        await this.addressPools.restore(network);
      } catch (error) {
        const facts = { event: 'network.pool-not-reserved', network: network.name, error };
        this.log.error(facts, 'failed to reserve the address pools of a network');
      }
    }
    await this.predefined.ensure();
  }

  /** Networks are usable even when the disk accepts no writes. */
  async #repairRecords(): Promise<void> {
    try {
      for (const { name } of await this.store.repairRecords()) {
        const facts = { event: 'network.recovered', network: name };
        this.log.warn(facts, 'the record of a network was unreadable; its copy is used');
      }
    } catch (error) {
      const facts = { event: 'network.copy-failed', error };
      this.log.error(facts, 'failed to write records of networks');
    }
  }
}
