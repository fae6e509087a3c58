import { followRecords, type ManagerSession } from '@gantry/cluster/service';
import { injectable } from '@gantry/core/driver';
import { PacedWakeUps } from '../queues/paced-wake-ups.js';
import { WakeUp } from '../queues/wake-up.js';
import { taskKind } from '../records/record-kinds.js';
import { nodesOf } from './assigned-tasks.js';

/** What has changed for a node since it was asked last. */
class NodeChanges {
  readonly #tasks = new Set<string>();
  readonly #wakeUp = new WakeUp();

  constructor(
    private readonly signal: AbortSignal,
    private readonly wakeUps: PacedWakeUps,
  ) {
    signal.addEventListener('abort', this.#wakeUp.notify, { once: true });
  }

  add(taskId: string): void {
    this.#tasks.add(taskId);
    this.wakeUps.add(this.#wakeUp);
  }

  /** Resolves to the ids of tasks, at least one, or to none when the signal aborts. */
  async take(): Promise<readonly string[]> {
    // It may have been notified of tasks that were taken already.
    while (this.#tasks.size === 0 && !this.signal.aborted) await this.#wakeUp.wait();
    const taken = [...this.#tasks];
    this.#tasks.clear();
    return taken;
  }
}

/** Distributes changes of tasks to the nodes that they concern: one watch of the store for all nodes. */
@injectable()
export class AssignmentFeed {
  readonly #nodes = new Map<string, Set<NodeChanges>>();
  readonly #wakeUps = new PacedWakeUps();

  /** Resolves when the session has ended. */
  run(session: ManagerSession): Promise<void> {
    return followRecords(session, [taskKind], {
      changed: (change) => {
        for (const node of nodesOf(change)) for (const open of this.#nodes.get(node) ?? []) open.add(change.id);
      },
      lost: () => {
        for (const [node, all] of this.#nodes) {
          for (const { id } of session.store.select(taskKind, 'node', node)) for (const open of all) open.add(id);
        }
      },
    });
  }

  /** @returns the changes from now on. They end with the signal. */
  open(nodeId: string, signal: AbortSignal): Pick<NodeChanges, 'take'> {
    const changes = new NodeChanges(signal, this.#wakeUps);
    const all = this.#nodes.get(nodeId) ?? new Set();
    this.#nodes.set(nodeId, all.add(changes));
    const remove = (): void => {
      all.delete(changes);
      if (all.size === 0 && this.#nodes.get(nodeId) === all) this.#nodes.delete(nodeId);
    };
    if (signal.aborted) remove();
    else signal.addEventListener('abort', remove, { once: true });
    return changes;
  }
}
