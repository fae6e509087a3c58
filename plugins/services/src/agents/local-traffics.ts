import type { ManagerSession } from '@gantry/cluster/service';
import { inject, injectable } from '@gantry/core/driver';
import { AppliedNetworks } from './applied-networks.js';
import { DrainTask } from './drain-task.js';
import { LocalTraffic } from './local-traffic.js';

/** Makes what the leader's own agent knows of the traffic. */
@injectable()
export class LocalTraffics {
  constructor(
    @inject(AppliedNetworks) private readonly applied: AppliedNetworks,
    @inject(DrainTask) private readonly drainTask: DrainTask,
  ) {}

  create({ nodeId, store }: ManagerSession, signal: AbortSignal): LocalTraffic {
    return new LocalTraffic(store, this.applied.open(nodeId, signal), this.drainTask);
  }
}
