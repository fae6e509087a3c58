import type { ClusterStore } from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import type { TaskReport } from '../service.js';
import { ReportQueue } from './report-queue.js';

/** Stores the states that nodes report. */
@injectable()
export class ReportStates {
  readonly #queues = new WeakMap<ClusterStore, ReportQueue>();

  /** Resolves when the states are stored; those that are no news are ignored. */
  report(store: ClusterStore, nodeId: string, reports: readonly TaskReport[]): Promise<void> {
    const queue = this.#queues.get(store) ?? new ReportQueue(store);
    this.#queues.set(store, queue);
    return queue.add(nodeId, reports);
  }
}
