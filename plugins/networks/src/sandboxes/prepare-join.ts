import { inject, injectable } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { PrepareEndpoint } from '../endpoints/prepare-endpoint.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import type { Attachment } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord, NetworkRecord } from '../store/records.js';

/** Checks that a running container can join one more network, and prepares the endpoint, still without a default route. */
@injectable()
export class PrepareJoin {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(PrepareEndpoint) private readonly prepareEndpoint: PrepareEndpoint,
  ) {}

  /** Rejects `forbidden` for a network it is on, and for the host's. */
  async prepare(containerId: string, attachment: Attachment): Promise<EndpointRecord> {
    const network = this.store.resolve(attachment.networkId);
    const present = this.store.endpointsOf(containerId);
    const name = this.store.sandbox(containerId)?.containerName ?? present[0]?.containerName ?? containerId;
    this.#refuseConflicts(name, network, present);
    return this.prepareEndpoint.prepare({
      container: { id: containerId, name },
      attachment: this.#isPublisher(network, present) ? attachment : { ...attachment, ports: [] },
      network,
      earlier: present,
      defaultRoute: false,
    });
  }

  #refuseConflicts(name: string, network: NetworkRecord, present: readonly EndpointRecord[]): void {
    if (present.some(({ networkId }) => networkId === network.id)) {
      throw forbidden(`endpoint with name ${name} already exists in network ${network.name}`);
    }
    if (this.driverOf.hasHostStack(network)) throw forbidden('container cannot be connected to host network');
  }

  #isPublisher(network: NetworkRecord, present: readonly EndpointRecord[]): boolean {
    const canPublish = ({ networkId }: EndpointRecord) => this.driverOf.canPublish(this.store.resolve(networkId));
    return this.driverOf.canPublish(network) && !present.some(canPublish);
  }
}
