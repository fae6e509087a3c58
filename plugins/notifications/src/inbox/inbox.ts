import { isParticipation } from '../reasons.js';
import type { ReadMark, ThreadRecord } from '../store/records.js';
import { applyMark, type Entry, entryOf } from './entry.js';
import { Timeline } from './timeline.js';

/** One user's threads, or those of one repository, ready to be listed. */
export class View {
  readonly all = new Timeline<Entry>();
  readonly unread = new Timeline<Entry>();
  /** Those of both that the user takes part in or was addressed in. */
  readonly participating = { all: new Timeline<Entry>(), unread: new Timeline<Entry>() };
  /** Milliseconds of the newest arrival; 0 without one. Reading a thread does not change it. */
  lastArrivedAt = 0;

  add(entry: Entry): void {
    for (const timeline of this.#timelinesOf(entry)) timeline.add(entry);
    this.lastArrivedAt = Math.max(this.lastArrivedAt, entry.arrivedAt);
  }

  remove(entry: Entry): void {
    for (const timeline of this.#timelinesOf(entry)) timeline.remove(entry);
  }

  fill(entries: readonly Entry[]): void {
    const participating = entries.filter(({ reason }) => isParticipation(reason));
    this.all.fill(entries);
    this.unread.fill(entries.filter(isUnread));
    this.participating.all.fill(participating);
    this.participating.unread.fill(participating.filter(isUnread));
    for (const { arrivedAt } of entries) this.lastArrivedAt = Math.max(this.lastArrivedAt, arrivedAt);
  }

  /** Takes threads out of the unread ones, given in order. */
  removeUnread(entries: readonly Entry[]): void {
    this.unread.removeAll(entries);
    this.participating.unread.removeAll(entries.filter(({ reason }) => isParticipation(reason)));
  }

  *#timelinesOf({ unread, reason }: Entry): Iterable<Timeline<Entry>> {
    yield this.all;
    if (unread) yield this.unread;
    if (!isParticipation(reason)) return;
    yield this.participating.all;
    if (unread) yield this.participating.unread;
  }
}

const isUnread = ({ unread }: Entry): boolean => unread;

/** The inbox of one user, in memory. It shows what is committed and nothing else. */
export class Inbox {
  readonly view = new View();
  readonly #views = new Map<number, View>();
  readonly #byId = new Map<number, Entry>();
  readonly #byKey = new Map<string, Entry>();
  /** The newest arrival that is shown: a mark must not cover what the user has not seen. */
  lastArrival = 0;
  marks: readonly ReadMark[] = [];

  get size(): number {
    return this.#byId.size;
  }

  /** Milliseconds at which the newest thread was updated; 0 without one. */
  get newest(): number {
    const { all } = this.view;
    return all.at(all.length - 1)?.updatedAt ?? 0;
  }

  withId(id: number): Entry | undefined {
    return this.#byId.get(id);
  }

  /** When the thread was last read, by a read mark too; milliseconds. */
  lastReadAt(key: string): number | undefined {
    return this.#byKey.get(key)?.lastReadAt;
  }

  /** The threads of one repository. */
  ofRepository(id: number): View {
    const view = this.#views.get(id) ?? new View();
    this.#views.set(id, view);
    return view;
  }

  /** Takes in many threads at once, at the start. */
  fill(records: readonly (readonly [key: string, record: ThreadRecord])[], marks: readonly ReadMark[]): void {
    this.marks = marks;
    const byRepository = new Map<number, Entry[]>();
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

  /** The unread threads of a mark's time and repository, oldest first. */
  marked({ repositoryId, until }: ReadMark): readonly Entry[] {
    const { unread } = repositoryId === undefined ? this.view : this.ofRepository(repositoryId);
    return unread.until(until);
  }

  /** Shows threads as read, given in order; those that changed in the meantime are left as they are. */
  markShown(entries: readonly Entry[], mark: ReadMark): void {
    const marked = new Map<View, Entry[]>([[this.view, []]]);
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

  #register(entry: Entry): void {
    this.#byId.set(entry.record.id, entry);
    this.#byKey.set(entry.key, entry);
    this.lastArrival = Math.max(this.lastArrival, entry.arrival);
  }
}
