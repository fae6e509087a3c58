import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@gantry/core/driver';
import { addMark, type Entry } from './inbox/entry.js';
import type { Inbox } from './inbox/inbox.js';
import type { Inboxes } from './inbox/inboxes.js';
import type { ReadMark, ThreadRecord } from './store/records.js';
import type { NotificationStore } from './store/store.js';

/** Up to so many threads are written one by one; more are covered by one mark. */
const fewThreads = 64;
/** So many marks of one user at most; threads are written instead of another. */
const mostMarks = 32;
/** Threads that are shown as read in one turn of the event loop. */
const chunk = 2000;

export interface MarkRequest {
  readonly accountId: number;
  readonly repositoryId?: number;
  /** Milliseconds; nothing that was updated later is marked. By default everything is. */
  readonly until?: number;
}

export interface Marked {
  /** How many threads were unread. */
  readonly threads: number;
  /** False while the rest is marked in the background. It is durable all the same. */
  readonly complete: boolean;
}

/** Marks threads as read, in an inbox of any size. */
export class MarkRead {
  /** Background work, for tests and for the stop. */
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly store: NotificationStore,
    private readonly inboxes: Inboxes,
    private readonly log: Logger,
    /** More threads than this are marked in the background. */
    private readonly atOnce: () => number,
  ) {}

  /** Marks one thread. What arrived after the user looked stays unread. @returns false when it was read already. */
  async thread(accountId: number, entry: Entry): Promise<boolean> {
    if (!entry.unread) return false;
    await this.#write(accountId, [entry], Date.now());
    return true;
  }

  /**
   * Marks all threads of an inbox or of one repository in it. Durable when it resolves: one record for any number of
   * threads. With more than `atOnce` the inbox shows it turn by turn.
   */
  async all({ accountId, repositoryId, until }: MarkRequest): Promise<Marked> {
    const inbox = this.inboxes.of(accountId);
    const within = repositoryId === undefined ? {} : { repositoryId };
    // A clock that was set back leaves threads in the future, which are no less there.
    const now = Math.max(Date.now(), inbox.newest);
    const mark: ReadMark = { ...within, until: Math.min(until ?? now, now), arrival: inbox.lastArrival };
    const entries = inbox.marked(mark);
    if (entries.length === 0) return { threads: 0, complete: true };
    if (entries.length <= fewThreads || inbox.marks.length >= mostMarks) {
      await this.#write(accountId, entries, mark.until);
      return { threads: entries.length, complete: true };
    }
    await this.#addMark(accountId, inbox, mark);
    // Meanwhile threads may have arrived, or have been shown anew.
    const covered = inbox.marked(mark).filter(({ arrival }) => arrival <= mark.arrival);
    const isMany = entries.length > this.atOnce();
    if (isMany) this.#inBackground(inbox, covered, mark);
    else inbox.markShown(covered, mark);
    return { threads: entries.length, complete: !isMany };
  }

  /** Resolves when nothing is marked in the background. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #addMark(accountId: number, inbox: Inbox, mark: ReadMark): Promise<void> {
    const key = String(accountId);
    const marks = await this.store.transaction((transaction) => {
      const next = addMark(transaction.get(this.store.marks, key) ?? [], mark);
      transaction.put(this.store.marks, key, next);
      return next;
    });
    inbox.marks = this.store.marks.get(key) ?? marks;
  }

  #inBackground(inbox: Inbox, entries: readonly Entry[], mark: ReadMark): void {
    const began = performance.now();
    const work = async (): Promise<void> => {
      for (let from = 0; from < entries.length; from += chunk) {
        await nextTurn();
        inbox.markShown(entries.slice(from, from + chunk), mark);
      }
      const tookMs = Math.round(performance.now() - began);
      this.log.debug({ event: 'notifications.marked', threads: entries.length, tookMs }, 'threads marked as read');
    };
    const running = work().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #write(accountId: number, entries: readonly Entry[], at: number): Promise<void> {
    const { threads } = this.store;
    await this.store.transaction((transaction) => {
      for (const { key, arrival, lastReadAt } of entries) {
        const record = transaction.get(threads, key);
        if (record !== undefined)
          transaction.put(threads, key, readUpTo(record, arrival, Math.max(at, lastReadAt ?? 0)));
      }
    });
    for (const { key } of entries) this.inboxes.show(accountId, key);
  }
}

const readUpTo = (record: ThreadRecord, arrival: number, at: number): ThreadRecord =>
  record.notice === undefined
    ? record
    : { ...record, notice: { ...record.notice, readArrival: arrival, lastReadAt: at } };
