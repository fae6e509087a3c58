import { type ClusterChange, type ClusterStore, TransactionConflict, updateRecord } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { BatchQueue } from '../queues/batch-queue.js';
import { maxChanges } from '../queues/max-changes.js';
import { taskKind } from '../records/record-kinds.js';
import type { TaskRecord, TaskStatus } from '../records/task-record.js';
import { compareStates, isFinal } from '../records/task-state.js';
import type { TaskReport } from '../service.js';

interface Waiting {
  readonly nodeId: string;
  readonly reports: readonly TaskReport[];
  resolve(): void;
  reject(error: unknown): void;
}

/** Stores reports of many nodes, those that arrive during a transaction together. */
export class ReportQueue {
  readonly #queue = new BatchQueue<Waiting>(
    (batch) => this.#settle(batch),
    ({ reports }) => reports.length,
  );

  constructor(private readonly store: ClusterStore) {}

  async add(nodeId: string, reports: readonly TaskReport[]): Promise<void> {
    const stored: Promise<void>[] = [];
    for (let from = 0; from < reports.length; from += maxChanges) {
      const slice = reports.slice(from, from + maxChanges);
      stored.push(new Promise((resolve, reject) => this.#queue.add({ nodeId, reports: slice, resolve, reject })));
    }
    await Promise.all(stored);
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#store(batch);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    for (;;) {
      const changes = this.#changesOf(batch);
      if (changes.length === 0) return;
      try {
        await this.store.transact(changes);
        crashPoint('services.report.stored');
        return;
      } catch (error) {
        // Another writer was faster: what is news is decided again.
        if (!TransactionConflict.is(error)) throw error;
      }
    }
  }

  /** Of each task the last report that is news. */
  #changesOf(batch: readonly Waiting[]): readonly ClusterChange[] {
    const statuses = new Map<string, TaskStatus>();
    for (const { nodeId, reports } of batch) {
      for (const { status, taskId } of reports) {
        const task = this.store.get(taskKind, taskId)?.value;
        if (task === undefined || task.NodeID !== nodeId) continue;
        if (isNews(statuses.get(taskId) ?? task.Status, status)) statuses.set(taskId, status);
      }
    }
    return [...statuses].flatMap(([taskId, status]) => {
      const record = this.store.get(taskKind, taskId);
      return record === undefined ? [] : [updateRecord(taskKind, record, withStatus(record.value, status))];
    });
  }
}

/** States only advance, and final ones stay. */
function isNews(known: TaskStatus, status: TaskStatus): boolean {
  const order = compareStates(status.State, known.State);
  return (
    !isFinal(known.State) &&
    (order > 0 || (order === 0 && (status.Message !== known.Message || status.Err !== known.Err)))
  );
}

const withStatus = (task: TaskRecord, status: TaskStatus): TaskRecord => ({
  ...task,
  Status: status,
  ...(status.State === 'running' && task.StartedAt === undefined && { StartedAt: status.Timestamp }),
});
