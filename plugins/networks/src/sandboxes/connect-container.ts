import { type Sandbox, type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { LeaveEndpoint } from '../endpoints/leave-endpoint.js';
import { NetworkEvents } from '../networks/network-events.js';
import type { Attachment } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import { JoinRunning } from './join-running.js';
import { PrepareJoin } from './prepare-join.js';

/** Joins a running container to one more network. See `EndpointService.connect`. */
@injectable()
export class ConnectContainer {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(PrepareJoin) private readonly prepareJoin: PrepareJoin,
    @inject(JoinRunning) private readonly joinRunning: JoinRunning,
    @inject(LeaveEndpoint) private readonly leaveEndpoint: LeaveEndpoint,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
  ) {}

  /** Calls for one container must not overlap. On rejection everything is rolled back. */
  async connect(containerId: string, attachment: Attachment): Promise<EndpointRecord> {
    const sandbox = await this.#sandboxFor(containerId);
    const record = await this.prepareJoin.prepare(containerId, attachment);
    try {
      await this.store.change({ endpoints: [record] });
      crashPoint('network.connect.recorded');
      const joined = await this.joinRunning.join(record, sandbox);
      this.events.publishEndpoint('connect', joined);
      return joined;
    } catch (error) {
      await this.leaveEndpoint.leave([record], () => this.store.change({ removeEndpoints: [record.id] }));
      throw error;
    }
  }

  async #sandboxFor(containerId: string): Promise<Sandbox> {
    const sandbox = await this.sandboxes.get().get(containerId);
    if (sandbox !== undefined) return sandbox;
    throw forbidden(
      'container sharing network namespace with another container or host cannot be connected to any other network',
    );
  }
}
