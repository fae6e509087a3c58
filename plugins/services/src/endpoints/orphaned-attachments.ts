import { setTimeout as delay } from 'node:timers/promises';
import { type ManagerSession, nodes } from '@gantry/cluster/service';
import {
  type ClusterStore,
  changeOf,
  deleteRecord,
  type RecordChange,
  TransactionConflict,
  WatchCompacted,
} from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { taskKind } from '../records/record-kinds.js';

/** Milliseconds after a failure of the store. */
const retryDelay = 1_000;

/** Deletes the attachments of containers on nodes that were removed: no agent will ever detach them. */
@injectable()
export class OrphanedAttachments {
  constructor(@inject(Logger) private readonly log: Logger) {}

  /** For as long as the session lasts. */
  async run({ signal, store }: ManagerSession): Promise<void> {
    while (!signal.aborted && !store.closed.aborted) {
      const watch = store.watch({ kinds: [nodes, taskKind], signal });
      try {
        await this.#delete(store);
        for await (const { changes } of watch)
          if (changes.some((change) => isRelevant(store, change))) await this.#delete(store);
      } catch (err) {
        if (signal.aborted || WatchCompacted.is(err)) continue;
        this.log.warn({ event: 'services.attachments-kept', err }, 'failed to delete orphaned attachments; retrying');
        await delay(retryDelay, undefined, { signal }).catch(() => undefined); // aborted: the loop ends
      }
    }
  }

  async #delete(store: ClusterStore): Promise<void> {
    const { current } = store.leadership;
    const options = current.role === 'leader' ? { epoch: current.epoch } : {};
    for (const record of store.select(taskKind, 'service', '')) {
      const { NodeID: nodeId = '' } = record.value;
      if (store.get(nodes, nodeId) !== undefined) continue;
      await store.transact([deleteRecord(taskKind, record)], options).catch((error: unknown) => {
        // Its agent has just detached it.
        if (!TransactionConflict.is(error) || error.reason !== 'revision') throw error;
      });
    }
  }
}

/** A node is gone, or an attachment was created while its node was being removed. */
function isRelevant(store: ClusterStore, change: RecordChange): boolean {
  const node = changeOf(nodes, change);
  if (node !== undefined) return node.after === undefined;
  const task = changeOf(taskKind, change)?.after?.value;
  return task?.ServiceID === '' && store.get(nodes, task.NodeID ?? '') === undefined;
}
