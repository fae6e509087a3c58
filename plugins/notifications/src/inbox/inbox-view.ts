import { isParticipation } from '../reasons.js';
import type { InboxEntry } from './inbox-entry.js';
import { Timeline } from './timeline.js';

/** One user's threads, or those of one repository, ready to be listed. */
export class InboxView {
  readonly all = new Timeline<InboxEntry>();
  readonly unread = new Timeline<InboxEntry>();
  /** The threads of both that the user participates or was addressed in. */
  readonly participating = { all: new Timeline<InboxEntry>(), unread: new Timeline<InboxEntry>() };
  /** The time of the latest arrival in milliseconds; 0 without one. Unaffected by reading. */
  lastArrivedAt = 0;

  add(entry: InboxEntry): void {
    for (const timeline of this.#timelinesOf(entry)) timeline.add(entry);
    this.lastArrivedAt = Math.max(this.lastArrivedAt, entry.arrivedAt);
  }

  remove(entry: InboxEntry): void {
    for (const timeline of this.#timelinesOf(entry)) timeline.remove(entry);
  }

  fill(entries: readonly InboxEntry[]): void {
    const participating = entries.filter(({ reason }) => isParticipation(reason));
    this.all.fill(entries);
    this.unread.fill(entries.filter(isUnread));
    this.participating.all.fill(participating);
    this.participating.unread.fill(participating.filter(isUnread));
    for (const { arrivedAt } of entries) this.lastArrivedAt = Math.max(this.lastArrivedAt, arrivedAt);
  }

  /** Removes threads from the unread ones; they are given in order. */
  removeUnread(entries: readonly InboxEntry[]): void {
    this.unread.removeAll(entries);
    this.participating.unread.removeAll(entries.filter(({ reason }) => isParticipation(reason)));
  }

  *#timelinesOf({ unread, reason }: InboxEntry): Iterable<Timeline<InboxEntry>> {
    yield this.all;
    if (unread) yield this.unread;
    if (!isParticipation(reason)) return;
    yield this.participating.all;
    if (unread) yield this.participating.unread;
  }
}

const isUnread = ({ unread }: InboxEntry): boolean => unread;
