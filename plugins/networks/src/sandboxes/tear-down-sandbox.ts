import { type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { LeaveEndpoint } from '../endpoints/leave-endpoint.js';
import { NetworkEvents } from '../networks/network-events.js';
import { Resolvers } from '../resolver/resolvers.js';
import { NetworkStore } from '../store/network-store.js';

/** Removes the sandbox of a container with its endpoints. See `SandboxService.close`. */
@injectable()
export class TearDownSandbox {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(LeaveEndpoint) private readonly leaveEndpoint: LeaveEndpoint,
    @inject(Resolvers) private readonly resolvers: Resolvers,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** What a driver fails to remove is logged, and removed at the next start. `silent` publishes no event. */
  async tearDown(containerId: string, { silent = false } = {}): Promise<void> {
    const records = this.store.endpointsOf(containerId);
    if (records.length === 0 && this.store.sandbox(containerId) === undefined) return;
    this.resolvers.close(containerId);
    await this.leaveEndpoint.leave(records, async () => {
      await this.#removeSandbox(containerId);
      crashPoint('network.sandbox.removed');
      await this.store.change({ removeEndpoints: records.map(({ id }) => id), removeSandboxes: [containerId] });
    });
    if (silent) return;
    for (const record of records) {
      if (record.joined !== undefined) this.events.publishEndpoint('disconnect', record);
    }
  }

  async #removeSandbox(containerId: string): Promise<void> {
    try {
      await this.sandboxes.get().remove(containerId);
    } catch (error) {
      const facts = { event: 'sandbox.remove-failed', container: containerId, error };
      this.log.error(facts, 'failed to remove a sandbox');
    }
  }
}
