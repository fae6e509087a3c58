import { newId } from '@gantry/cluster/service';
import type { ServiceRecord } from '../records/service-record.js';
import { slotOf, type TaskRecord, type TaskStatus } from '../records/task-record.js';
import { compareStates } from '../records/task-state.js';
import type { SchedulableNode } from '../scheduling/schedulable-node.js';
import type { LogDriver } from '../spec/service-spec.js';
import type { Moment } from './moment.js';

/** What the rules know beside a service and its tasks. */
export interface Surroundings {
  readonly now: Moment;
  readonly nodes: ReadonlyMap<string, SchedulableNode>;
  /** Ids of tasks for whose reservations their nodes have no room any more. */
  readonly overcommitted: ReadonlySet<string>;
  /** Tasks kept in each slot; negative: all. */
  readonly historyLimit: number;
  /** Of tasks whose specification names none. */
  readonly logDriver?: LogDriver;
}

/** One service with its tasks while a pass of the orchestrator changes them, before anything is stored. */
export class ServiceDraft {
  readonly #before: ReadonlyMap<string, TaskRecord>;
  readonly #tasks: Map<string, TaskRecord>;
  readonly #serviceBefore: ServiceRecord | undefined;
  #service: ServiceRecord | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;

  /** @param service undefined when it was removed and only tasks are left. */
  constructor(
    service: ServiceRecord | undefined,
    tasks: Iterable<TaskRecord>,
    readonly surroundings: Surroundings,
  ) {
    this.#service = service;
    this.#serviceBefore = service;
    this.#before = new Map(Array.from(tasks, (task) => [task.ID, task]));
    this.#tasks = new Map(this.#before);
  }

  get now(): Moment {
    return this.surroundings.now;
  }

  get service(): ServiceRecord | undefined {
    return this.#service;
  }

  set service(service: ServiceRecord) {
    this.#service = service;
  }

  /** As it was before the rules were applied. */
  get serviceBefore(): ServiceRecord | undefined {
    return this.#serviceBefore;
  }

  /** The rules have begun a rollback. */
  get isRolledBack(): boolean {
    const isRollback = (service?: ServiceRecord): boolean => service?.UpdateStatus?.State === 'rollback_started';
    return isRollback(this.#service) && !isRollback(this.#serviceBefore);
  }

  /** When the rules have to be applied again although nothing changed, in milliseconds since the epoch. */
  get wakeAt(): number {
    return this.#wakeAt;
  }

  wake(at: number): void {
    this.#wakeAt = Math.min(this.#wakeAt, at);
  }

  get tasks(): readonly TaskRecord[] {
    return [...this.#tasks.values()];
  }

  /** The tasks of each slot, the oldest first. */
  slots(): Map<string, readonly TaskRecord[]> {
    const slots = new Map<string, TaskRecord[]>();
    for (const task of this.#tasks.values()) {
      const slot = slots.get(slotOf(task));
      if (slot === undefined) slots.set(slotOf(task), [task]);
      else slot.push(task);
    }
    for (const tasks of slots.values()) tasks.sort(byAge);
    return slots;
  }

  /** Adds a task made from the service as it is now. */
  create(service: ServiceRecord, fields: Partial<TaskRecord>): void {
    const { logDriver } = this.surroundings;
    const task: TaskRecord = {
      ID: newId(),
      CreatedAt: this.now.text,
      ServiceID: service.ID,
      Spec: service.Spec.TaskTemplate ?? {},
      ...(logDriver !== undefined && service.Spec.TaskTemplate?.LogDriver === undefined && { LogDriver: logDriver }),
      SpecVersion: service.SpecVersion,
      ServiceName: service.Spec.Name ?? '',
      ServiceLabels: service.Spec.Labels ?? {},
      Ports: service.Ports,
      Status: { Timestamp: this.now.text, State: 'new', Message: 'created' },
      DesiredState: 'running',
      ...(service.JobStatus !== undefined && { JobIteration: service.JobStatus.Iteration }),
      ...fields,
    };
    this.#tasks.set(task.ID, task);
  }

  change(task: TaskRecord, fields: Partial<TaskRecord>): void {
    this.#tasks.set(task.ID, { ...task, ...fields });
  }

  /** A task that no node has is shut down by that. */
  stop(task: TaskRecord, fields: Partial<TaskRecord> = {}): void {
    const isUnplaced = compareStates(task.Status.State, 'assigned') < 0;
    const status: TaskStatus = { Timestamp: this.now.text, State: 'shutdown', Message: task.Status.Message };
    this.change(task, { DesiredState: 'shutdown', ...(isUnplaced && { Status: status }), ...fields });
  }

  delete(task: TaskRecord): void {
    this.#tasks.delete(task.ID);
  }

  /** What differs from the beginning. */
  changes(): DraftChanges {
    const written = [...this.#tasks.values()].filter((task) => this.#before.get(task.ID) !== task);
    const deleted = [...this.#before.keys()].filter((id) => !this.#tasks.has(id));
    const service = this.#service === this.#serviceBefore ? undefined : this.#service;
    return { written, deleted, service };
  }
}

interface DraftChanges {
  /** Created or changed. */
  readonly written: readonly TaskRecord[];
  /** Ids. */
  readonly deleted: readonly string[];
  readonly service: ServiceRecord | undefined;
}

const byAge = (left: TaskRecord, right: TaskRecord): number =>
  left.CreatedAt < right.CreatedAt ? -1 : left.CreatedAt > right.CreatedAt ? 1 : 0;
