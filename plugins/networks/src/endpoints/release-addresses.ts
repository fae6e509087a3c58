import { inject, injectable, Logger } from '@gantry/core/driver';
import { AddressPools } from '../addresses/address-pools.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import { SwarmSources } from '../store/swarm-sources.js';

/** Releases the addresses of an endpoint. */
@injectable()
export class ReleaseAddresses {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(AddressPools) private readonly addressPools: AddressPools,
    @inject(SwarmSources) private readonly swarm: SwarmSources,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Never rejects: an address whose release fails is logged and stays reserved until the next start. */
  async release({ containerId, networkId, request }: EndpointRecord): Promise<void> {
    const network = this.store.network(networkId);
    if (network?.swarm !== undefined) await this.swarm.node?.detach(networkId, containerId);
    if (network === undefined || network.swarm !== undefined) return;
    for (const address of [request.ipv4, request.ipv6]) {
      await this.addressPools.releaseAddress(network, address).catch((error: unknown) => {
        const facts = { event: 'address.release-failed', address, error };
        this.log.error(facts, 'failed to release an address');
      });
    }
  }
}
