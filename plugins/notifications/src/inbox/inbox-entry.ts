import type { Reason } from '../reasons.js';
import type { ReadMark, ThreadRecord } from '../store/records.js';

/** A thread in an inbox: its record, with the read marks applied. */
export interface InboxEntry {
  readonly key: string;
  readonly record: ThreadRecord;
  readonly reason: Reason;
  readonly updatedAt: number;
  readonly arrival: number;
  readonly arrivedAt: number;
  unread: boolean;
  lastReadAt: number | undefined;
}

/** Undefined for a thread that is not in the inbox. */
export function entryOf(key: string, record: ThreadRecord, marks: readonly ReadMark[]): InboxEntry | undefined {
  const { notice } = record;
  if (notice === undefined) return undefined;
  const { reason, updatedAt, arrival, arrivedAt, lastReadAt } = notice;
  const entry: InboxEntry = {
    ...{ key, record, reason, updatedAt, arrival, arrivedAt, lastReadAt },
    unread: notice.readArrival < arrival,
  };
  for (const mark of marks) if (isMarked(entry, mark)) applyMark(entry, mark);
  return entry;
}

const isMarked = ({ record, updatedAt, arrival }: InboxEntry, mark: ReadMark): boolean =>
  updatedAt <= mark.until &&
  arrival <= mark.arrival &&
  (mark.repositoryId === undefined || mark.repositoryId === record.repositoryId);

/** Marks an entry as read, as of the later of both times. */
export function applyMark(entry: InboxEntry, { until }: ReadMark): void {
  entry.unread = false;
  entry.lastReadAt = Math.max(entry.lastReadAt ?? 0, until);
}

/** Adds a mark, without those that it covers. */
export const addMark = (marks: readonly ReadMark[], added: ReadMark): readonly ReadMark[] => [
  ...marks.filter(
    (mark) =>
      mark.until > added.until ||
      mark.arrival > added.arrival ||
      (added.repositoryId !== undefined && added.repositoryId !== mark.repositoryId),
  ),
  added,
];
