import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { internal, notFound } from '@gantry/core/errors';
import { HandOverRoles } from '../endpoints/hand-over-roles.js';
import { LeaveEndpoint } from '../endpoints/leave-endpoint.js';
import { NetworkEvents } from '../networks/network-events.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';

/** Takes a container off one network. See `NetworkService.disconnect` and `disconnectAbsent`. */
@injectable()
export class DisconnectContainer {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(LeaveEndpoint) private readonly leaveEndpoint: LeaveEndpoint,
    @inject(HandOverRoles) private readonly handOverRoles: HandOverRoles,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
  ) {}

  /** Calls for one container must not overlap. */
  async disconnect(containerId: string, networkId: string): Promise<void> {
    const record = this.store.endpointsOf(containerId).find((endpoint) => endpoint.networkId === networkId);
    if (record === undefined) {
      const name = this.store.network(networkId)?.name ?? networkId;
      throw internal(`container ${containerId} is not connected to network ${name}`);
    }
    await this.#leave(record);
  }

  /** The container is not known any more. */
  async disconnectAbsent(reference: string, networkId: string): Promise<void> {
    const record = this.store
      .endpointsOn(networkId)
      .find(({ containerId, containerName }) => containerId === reference || containerName === reference);
    if (record === undefined) throw notFound(`endpoint ${reference} not found`);
    await this.#leave(record);
  }

  async #leave(record: EndpointRecord): Promise<void> {
    await this.leaveEndpoint.leave(record);
    crashPoint('network.disconnect.left');
    await this.store.change({ removeEndpoints: [record.id] });
    this.events.publishEndpoint('disconnect', record);
    await this.handOverRoles.handOver(record);
  }
}
