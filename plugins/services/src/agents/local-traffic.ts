import type { ClusterStore } from '@gantry/core/contracts';
import { ingressState } from '../endpoints/ingress.js';
import type { AgentTraffic, IngressState } from '../service.js';
import type { AppliedNetworks } from './applied-networks.js';
import type { DrainTask } from './drain-task.js';

/** The leader's own node. */
export class LocalTraffic implements AgentTraffic {
  constructor(
    private readonly store: ClusterStore,
    private readonly progress: ReturnType<AppliedNetworks['open']>,
    private readonly drainTask: DrainTask,
  ) {}

  ingress(): IngressState | undefined {
    return ingressState(this.store);
  }

  revision(): number {
    return this.store.revision;
  }

  async applied(revision: number): Promise<void> {
    this.progress.applied(revision);
  }

  drain(taskId: string): Promise<void> {
    return this.drainTask.drain(this.store, taskId);
  }
}
