import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { NetworkEvents } from '../networks/network-events.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import { HandOverRoles } from './hand-over-roles.js';
import { LeaveEndpoint } from './leave-endpoint.js';

/** Takes an endpoint off its network and deletes its record. */
@injectable()
export class RemoveEndpoint {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(LeaveEndpoint) private readonly leaveEndpoint: LeaveEndpoint,
    @inject(HandOverRoles) private readonly handOverRoles: HandOverRoles,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
  ) {}

  async remove(record: EndpointRecord): Promise<void> {
    await this.leaveEndpoint.leave(record);
    crashPoint('network.disconnect.left');
    await this.store.change({ removeEndpoints: [record.id] });
    this.events.publishEndpoint('disconnect', record);
    await this.handOverRoles.handOver(record);
  }
}
