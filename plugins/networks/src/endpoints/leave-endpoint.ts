import { inject, injectable, Logger } from '@gantry/core/driver';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import { ReleaseAddresses } from './release-addresses.js';

/** Has drivers take endpoints out of their sandboxes, and releases their addresses. */
@injectable()
export class LeaveEndpoint {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(ReleaseAddresses) private readonly releaseAddresses: ReleaseAddresses,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * The last one first. What a driver fails to do is logged, and the next start removes what is left.
   * @param deleteRecords deletes the records of the endpoints, before another version of a driver is given those there are.
   */
  leave(records: readonly EndpointRecord[], deleteRecords: () => Promise<void>): Promise<void> {
    const networks = records.map(({ networkId }) => this.store.network(networkId));
    return this.driverOf.asOneCall(networks, 'disconnecting a container', async () => {
      for (const record of [...records].reverse()) await this.#leave(record);
      await deleteRecords();
    });
  }

  async #leave(record: EndpointRecord): Promise<void> {
    const network = this.store.network(record.networkId);
    if (network === undefined) return;
    try {
      await this.driverOf.get(network).leave(record.networkId, record.id);
    } catch (error) {
      const facts = { event: 'endpoint.leave-failed', endpoint: record.id, error };
      this.log.error(facts, 'failed to remove an endpoint');
    }
    await this.releaseAddresses.release(record);
  }
}
