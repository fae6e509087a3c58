import type { ReadMark, ThreadRecord } from '../store/records.js';
import { applyMark, entryOf, type InboxEntry } from './inbox-entry.js';
import { InboxView } from './inbox-view.js';

/** The inbox of one user, in memory. It shows committed records only. */
export class Inbox {
  readonly view = new InboxView();
  readonly #views = new Map<number, InboxView>();
  readonly #byId = new Map<number, InboxEntry>();
  readonly #byKey = new Map<string, InboxEntry>();
  /** The latest arrival that is shown: a mark must not cover threads the user has not seen. */
  lastArrival = 0;
  marks: readonly ReadMark[] = [];

  get size(): number {
    return this.#byId.size;
  }

  /** When the latest thread was updated, in milliseconds; 0 without one. */
  get newest(): number {
    const { all } = this.view;
    return all.at(all.length - 1)?.updatedAt ?? 0;
  }

  withId(id: number): InboxEntry | undefined {
    return this.#byId.get(id);
  }

  /** When the thread was last read, individually or by a mark, in milliseconds. */
  lastReadAt(key: string): number | undefined {
    return this.#byKey.get(key)?.lastReadAt;
  }

  /** The threads of one repository. */
  ofRepository(id: number): InboxView {
    const view = this.#views.get(id) ?? new InboxView();
    this.#views.set(id, view);
    return view;
  }

  /** Adds all threads, at the start. */
  fill(records: readonly (readonly [key: string, record: ThreadRecord])[], marks: readonly ReadMark[]): void {
    this.marks = marks;
    const byRepository = new Map<number, InboxEntry[]>();
    for (const [key, record] of records) {
      const entry = entryOf(key, record, marks);
      if (entry === undefined) continue;
      this.#register(entry);
      const siblings = byRepository.get(record.repositoryId);
      if (siblings === undefined) byRepository.set(record.repositoryId, [entry]);
      else siblings.push(entry);
    }
    this.view.fill([...this.#byId.values()]);
    for (const [repositoryId, entries] of byRepository) this.ofRepository(repositoryId).fill(entries);
  }

  /** Shows a committed record. */
  show(key: string, record: ThreadRecord): void {
    const before = this.#byKey.get(key);
    if (before?.record === record) return;
    const entry = entryOf(key, record, this.marks);
    for (const view of [this.view, this.ofRepository(record.repositoryId)]) {
      if (before !== undefined) view.remove(before);
      if (entry !== undefined) view.add(entry);
    }
    if (entry !== undefined) this.#register(entry);
  }

  /** The unread threads within a mark's time and repository, oldest first. */
  marked({ repositoryId, until }: ReadMark): readonly InboxEntry[] {
    const { unread } = repositoryId === undefined ? this.view : this.ofRepository(repositoryId);
    return unread.until(until);
  }

  /** Shows threads as read, unless they changed meanwhile; they are given in order. */
  markShown(entries: readonly InboxEntry[], mark: ReadMark): void {
    const marked = new Map<InboxView, InboxEntry[]>([[this.view, []]]);
    for (const entry of entries) {
      if (this.#byKey.get(entry.key) !== entry || !entry.unread) continue;
      applyMark(entry, mark);
      for (const view of [this.view, this.ofRepository(entry.record.repositoryId)]) {
        const others = marked.get(view);
        if (others === undefined) marked.set(view, [entry]);
        else others.push(entry);
      }
    }
    for (const [view, those] of marked) view.removeUnread(those);
  }

  #register(entry: InboxEntry): void {
    this.#byId.set(entry.record.id, entry);
    this.#byKey.set(entry.key, entry);
    this.lastArrival = Math.max(this.lastArrival, entry.arrival);
  }
}
