import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { NetworkEvents } from '../networks/network-events.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import { AssignRoles } from './assign-roles.js';
import { LeaveEndpoint } from './leave-endpoint.js';

/** Takes an endpoint off its network and deletes its record. */
@injectable()
export class RemoveEndpoint {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(LeaveEndpoint) private readonly leaveEndpoint: LeaveEndpoint,
    @inject(AssignRoles) private readonly assignRoles: AssignRoles,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** A failure to move its roles to another endpoint is logged: the container then lacks the route or the ports. */
  async remove(record: EndpointRecord): Promise<void> {
    await this.leaveEndpoint.leave([record], async () => {
      crashPoint('network.disconnect.left');
      await this.store.change({ removeEndpoints: [record.id] });
    });
    this.events.publishEndpoint('disconnect', record);
    await this.assignRoles.assign(record.containerId, record.request.ports).catch((error: unknown) => {
      const facts = { event: 'endpoint.hand-over-failed', endpoint: record.id, err: error };
      this.log.error(facts, 'failed to move the default route or the published ports to another network');
    });
  }
}
