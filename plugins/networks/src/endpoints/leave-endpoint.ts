import { inject, injectable, Logger } from '@gantry/core/driver';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import { ReleaseAddresses } from './release-addresses.js';

/** Has the driver take an endpoint out of its sandbox, and releases its addresses. */
@injectable()
export class LeaveEndpoint {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(ReleaseAddresses) private readonly releaseAddresses: ReleaseAddresses,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** The caller deletes the record. Never rejects: a failure is logged, and the next start removes what is left. */
  async leave(record: EndpointRecord): Promise<void> {
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
