import type { Page } from '@gantry/hosted-api/service';
import type { InboxEntry } from './inbox-entry.js';
import type { InboxView } from './inbox-view.js';

interface ListQuery {
  /** Includes read threads. */
  readonly all: boolean;
  /** Only threads the user participates or was addressed in. */
  readonly participating: boolean;
  /** Milliseconds, exclusive. */
  readonly since?: number;
  readonly before?: number;
}

interface ThreadPage {
  readonly entries: readonly InboxEntry[];
  /** On all pages. */
  readonly total: number;
}

/** One page of a view, most recently updated first. The cost does not depend on the size of the inbox. */
export function listThreads(view: InboxView, query: ListQuery, page: Page): ThreadPage {
  const { all, unread } = query.participating ? view.participating : view;
  const timeline = query.all ? all : unread;
  const low = query.since === undefined ? 0 : timeline.firstAfter(query.since);
  const high = query.before === undefined ? timeline.length : timeline.firstFrom(query.before);
  const entries: InboxEntry[] = [];
  const first = high - 1 - (page.number - 1) * page.size;
  for (let index = first; index >= low && index > first - page.size; index--) {
    const entry = timeline.at(index);
    if (entry !== undefined) entries.push(entry);
  }
  return { entries, total: Math.max(0, high - low) };
}
