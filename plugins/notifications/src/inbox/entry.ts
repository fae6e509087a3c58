import type { Reason } from '../reasons.js';
import type { ReadMark, ThreadRecord } from '../store/records.js';

/** A thread in an inbox: its record, and what read marks make of it. */
export interface Entry {
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
export function entryOf(key: string, record: ThreadRecord, marks: readonly ReadMark[]): Entry | undefined {
  const { notice } = record;
  if (notice === undefined) return undefined;
  const { reason, updatedAt, arrival, arrivedAt, lastReadAt } = notice;
  const entry: Entry = {
    ...{ key, record, reason, updatedAt, arrival, arrivedAt, lastReadAt },
    unread: notice.readArrival < arrival,
  };
  for (const mark of marks) if (isMarked(entry, mark)) applyMark(entry, mark);
  return entry;
}

const isMarked = ({ record, updatedAt, arrival }: Entry, mark: ReadMark): boolean =>
  updatedAt <= mark.until &&
  arrival <= mark.arrival &&
  (mark.repositoryId === undefined || mark.repositoryId === record.repositoryId);

/** What a mark of its reader makes of an entry: read, as of the later of both moments. */
export function applyMark(entry: Entry, { until }: ReadMark): void {
  entry.unread = false;
  entry.lastReadAt = Math.max(entry.lastReadAt ?? 0, until);
}

/** A mark that another one makes needless is left out. */
export const addMark = (marks: readonly ReadMark[], added: ReadMark): readonly ReadMark[] => [
  ...marks.filter(
    (mark) =>
      mark.until > added.until ||
      mark.arrival > added.arrival ||
      (added.repositoryId !== undefined && added.repositoryId !== mark.repositoryId),
  ),
  added,
];
