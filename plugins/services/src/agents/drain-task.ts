import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { taskKind } from '../records/record-kinds.js';
import { AppliedNetworks } from './applied-networks.js';

/** Waits until no node sends a task connections any more. */
@injectable()
export class DrainTask {
  constructor(@inject(AppliedNetworks) private readonly networks: AppliedNetworks) {}

  /** Resolves at once for a task that is gone: its change is long in effect. */
  async drain(store: ClusterStore, taskId: string): Promise<void> {
    const task = store.get(taskKind, taskId);
    if (task?.value.Addresses !== undefined) await this.networks.settled(task.revision);
  }
}
