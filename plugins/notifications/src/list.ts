import type { Page } from '@gantry/hosted-api/service';
import type { Entry } from './inbox/entry.js';
import type { View } from './inbox/inbox.js';

export interface ListQuery {
  /** With what was read. */
  readonly all: boolean;
  /** Only what the user takes part in or was addressed in. */
  readonly participating: boolean;
  /** Milliseconds, exclusive. */
  readonly since?: number;
  readonly before?: number;
}

export interface Listed {
  readonly entries: readonly Entry[];
  /** On all pages. */
  readonly total: number;
}

/** One page of a view, most recently updated first. Costs the page, whatever the size of the inbox. */
export function listThreads(view: View, query: ListQuery, page: Page): Listed {
  const { all, unread } = query.participating ? view.participating : view;
  const timeline = query.all ? all : unread;
  const low = query.since === undefined ? 0 : timeline.firstAfter(query.since);
  const high = query.before === undefined ? timeline.length : timeline.firstFrom(query.before);
  const entries: Entry[] = [];
  const first = high - 1 - (page.number - 1) * page.size;
  for (let index = first; index >= low && index > first - page.size; index--) {
    const entry = timeline.at(index);
    if (entry !== undefined) entries.push(entry);
  }
  return { entries, total: Math.max(0, high - low) };
}
