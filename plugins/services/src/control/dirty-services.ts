import { isDeepStrictEqual } from 'node:util';
import { nodes } from '@gantry/cluster/service';
import { type ClusterStore, changeOf, type RecordChange } from '@gantry/core/contracts';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import type { TaskRecord } from '../records/task-record.js';
import { compareStates, type TaskState } from '../records/task-state.js';
import { toSchedulable } from '../scheduling/to-schedulable.js';
import { isGlobal } from '../spec/service-mode.js';

/** The services that the rules have to be applied to, and when. */
export class DirtyServices {
  readonly #dueAt = new Map<string, number>();

  constructor(private readonly store: ClusterStore) {}

  /** Everything may have changed. */
  addAll(): void {
    for (const { id } of this.store.list(serviceKind)) this.add(id);
    for (const { value } of this.store.list(taskKind)) if (value.ServiceID !== '') this.add(value.ServiceID);
  }

  add(service: string, dueAt = 0): void {
    this.#dueAt.set(service, Math.min(dueAt, this.#dueAt.get(service) ?? Number.POSITIVE_INFINITY));
  }

  addChanges(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const task = changeOf(taskKind, change);
      const node = changeOf(nodes, change);
      if (task !== undefined) this.#addTask(task);
      else if (changeOf(serviceKind, change) !== undefined) this.add(change.id);
      else if (node !== undefined) this.#addNode(node);
      else this.addAll(); // the cluster's own record concerns every service
    }
    // What was freed may be what a pending task waits for.
    for (const { value } of this.store.select(taskKind, 'unplaced', 'yes')) this.add(value.ServiceID);
  }

  #addTask({ after, before }: RecordChange<TaskRecord>): void {
    if (before !== undefined && after !== undefined && isOnItsWay(before.value, after.value)) return;
    const owner = after?.value.ServiceID ?? before?.value.ServiceID ?? '';
    if (owner !== '') this.add(owner); // a plain container's attachment has none
  }

  /** A node concerns the services that have tasks on it, those that have a task on every node, and tasks without a node. */
  #addNode({ after, before, id }: NodeChange): void {
    if (isSameForTasks(before, after)) return;
    for (const { value } of this.store.select(taskKind, 'node', id))
      if (value.ServiceID !== '') this.add(value.ServiceID);
    for (const { id: service, value } of this.store.list(serviceKind)) if (isGlobal(value.Spec)) this.add(service);
  }

  /** Removes and returns those that are due. */
  take(now: number): readonly string[] {
    const due = [...this.#dueAt].filter(([, at]) => at <= now).map(([service]) => service);
    for (const service of due) this.#dueAt.delete(service);
    return due;
  }

  /** Milliseconds since the epoch; infinite when there are none. */
  get nextDue(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#dueAt.values());
  }
}

type NodeChange = RecordChange<ReturnType<(typeof nodes)['parse']>>;

/** The states through which a task passes on its node until it runs decide nothing. */
function isOnItsWay(before: TaskRecord, after: TaskRecord): boolean {
  if (!isStarting(before.Status.State) || !isStarting(after.Status.State)) return false;
  const { Status: _statusBefore, ...rest } = before;
  const { Status: _statusAfter, ...changed } = after;
  return isDeepStrictEqual(rest, changed);
}

const isStarting = (state: TaskState): boolean =>
  compareStates(state, 'assigned') >= 0 && compareStates(state, 'running') < 0;

/** Its certificate has been renewed, for example. */
function isSameForTasks(before: NodeChange['before'], after: NodeChange['after']): boolean {
  if (before === undefined || after === undefined) return false;
  return isDeepStrictEqual(partForTasks(before), partForTasks(after));
}

function partForTasks(record: NonNullable<NodeChange['after']>) {
  const { Description: description, ...node } = toSchedulable(record);
  const { Engine: engine, Hostname: hostname, Platform: platform, Resources: resources } = description ?? {};
  return { ...node, engine, hostname, platform, resources };
}
