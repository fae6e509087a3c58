import { setImmediate as nextTurn } from 'node:timers/promises';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { NotificationSettings } from '../settings/notification-settings.js';
import { NotificationStore } from '../store/notification-store.js';
import type { ReadMark, ThreadRecord } from '../store/records.js';
import type { Inbox } from './inbox.js';
import { addMark, type InboxEntry } from './inbox-entry.js';
import { Inboxes } from './inboxes.js';

/** Up to this many threads are written one by one; more are covered by one mark. */
const maxWrites = 64;
/** The limit of marks for each user; beyond it threads are written. */
const maxMarks = 32;
/** Threads marked in one turn of the event loop. */
const chunkSize = 2000;

export interface MarkRequest {
  readonly accountId: number;
  readonly repositoryId?: number;
  /** Milliseconds; threads updated later are not marked. By default all are. */
  readonly until?: number;
}

interface MarkResult {
  /** How many threads were unread. */
  readonly threads: number;
  /** False while the inbox is still being updated. The marking is durable in any case. */
  readonly complete: boolean;
}

/** Marks threads as read, in inboxes of any size. */
@injectable()
export class MarkRead {
  /** Background work. */
  readonly #running = new Set<Promise<void>>();

  constructor(
    @inject(NotificationStore) private readonly store: NotificationStore,
    @inject(Inboxes) private readonly inboxes: Inboxes,
    @inject(NotificationSettings) private readonly settings: NotificationSettings,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Marks one thread, up to the arrival that the inbox shows. Resolves to false when it was read already. */
  async thread(accountId: number, entry: InboxEntry): Promise<boolean> {
    if (!entry.unread) return false;
    await this.#write(accountId, [entry], Date.now());
    return true;
  }

  /**
   * Marks all threads of an inbox or of one repository in it. Durable when it resolves, by one record for any number of
   * threads. Beyond `markAtOnce` threads the inbox is updated in the background.
   */
  async all({ accountId, repositoryId, until }: MarkRequest): Promise<MarkResult> {
    const inbox = this.inboxes.of(accountId);
    const within = repositoryId === undefined ? {} : { repositoryId };
    // Threads may be in the future of a clock that was set back.
    const now = Math.max(Date.now(), inbox.newest);
    const mark: ReadMark = { ...within, until: Math.min(until ?? now, now), arrival: inbox.lastArrival };
    const entries = inbox.marked(mark);
    if (entries.length === 0) return { threads: 0, complete: true };
    if (entries.length <= maxWrites || inbox.marks.length >= maxMarks) {
      await this.#write(accountId, entries, mark.until);
      return { threads: entries.length, complete: true };
    }
    await this.#addMark(accountId, inbox, mark);
    // Threads may have arrived or changed meanwhile.
    const covered = inbox.marked(mark).filter(({ arrival }) => arrival <= mark.arrival);
    const isMany = entries.length > this.settings.config.markAtOnce;
    if (isMany) this.#inBackground(inbox, covered, mark);
    else inbox.markShown(covered, mark);
    return { threads: entries.length, complete: !isMany };
  }

  /** Resolves when the background work is done. */
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

  #inBackground(inbox: Inbox, entries: readonly InboxEntry[], mark: ReadMark): void {
    const began = performance.now();
    const work = async (): Promise<void> => {
      for (let from = 0; from < entries.length; from += chunkSize) {
        await nextTurn();
        inbox.markShown(entries.slice(from, from + chunkSize), mark);
      }
      const tookMs = Math.round(performance.now() - began);
      this.log.debug({ event: 'notifications.marked', threads: entries.length, tookMs }, 'threads marked as read');
    };
    const running = work().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #write(accountId: number, entries: readonly InboxEntry[], at: number): Promise<void> {
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
