import { type ClusterStore, TransactionConflict, updateRecord } from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import { taskKind } from '../records/record-kinds.js';
import type { TaskRecord, TaskStatus } from '../records/task-record.js';
import { compareStates, isFinal } from '../records/task-state.js';
import type { TaskReport } from '../service.js';

const maxChanges = 500;

/** Stores the states that nodes report, many in one transaction. */
@injectable()
export class ReportStates {
  async report(store: ClusterStore, nodeId: string, reports: readonly TaskReport[]): Promise<void> {
    for (let from = 0; from < reports.length; from += maxChanges) {
      await this.#store(store, nodeId, reports.slice(from, from + maxChanges));
    }
  }

  async #store(store: ClusterStore, nodeId: string, reports: readonly TaskReport[]): Promise<void> {
    for (;;) {
      const changes = reports.flatMap(({ status, taskId }) => {
        const record = store.get(taskKind, taskId);
        if (record === undefined || record.value.NodeID !== nodeId || !isNews(record.value, status)) return [];
        return [updateRecord(taskKind, record, withStatus(record.value, status))];
      });
      if (changes.length === 0) return;
      try {
        await store.transact(changes);
        return;
      } catch (error) {
        // Another writer was faster: what is news is decided again.
        if (!TransactionConflict.is(error)) throw error;
      }
    }
  }
}

/** States only advance, and final ones stay. */
function isNews({ Status: known }: TaskRecord, status: TaskStatus): boolean {
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
