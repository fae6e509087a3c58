import { type ClusterStore, changeOf, type RecordChange } from '@gantry/core/contracts';
import { serviceKind, taskKind } from '../records/record-kinds.js';

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
      const owner = task?.after?.value.ServiceID ?? task?.before?.value.ServiceID;
      // A plain container's attachment has no service.
      if (owner === '') continue;
      if (owner !== undefined) this.add(owner);
      else if (changeOf(serviceKind, change) !== undefined) this.add(change.id);
      // Nodes and the cluster's own record concern every service.
      else this.addAll();
    }
    // What was freed may be what a pending task waits for.
    for (const { value } of this.store.select(taskKind, 'unplaced', 'yes')) this.add(value.ServiceID);
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
