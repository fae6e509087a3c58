import type { Page } from '@gantry/hosted-api/service';
import type { Entry } from './inbox/entry.js';
import type { View } from './inbox/inbox.js';
import { isParticipation } from './reasons.js';

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

/** One page of a view, most recently updated first. Without `participating` it costs the page, whatever the inbox. */
export function listThreads(view: View, query: ListQuery, page: Page): Listed {
  const timeline = query.all ? view.all : view.unread;
  const low = query.since === undefined ? 0 : timeline.firstAfter(query.since);
  const high = query.before === undefined ? timeline.length : timeline.firstFrom(query.before);
  const skipped = (page.number - 1) * page.size;
  const entries: Entry[] = [];
  if (!query.participating) {
    const first = high - 1 - skipped;
    for (let index = first; index >= low && index > first - page.size; index--) push(entries, timeline.at(index));
    return { entries, total: Math.max(0, high - low) };
  }
  let total = 0;
  for (let index = high - 1; index >= low; index--) {
    const entry = timeline.at(index);
    if (entry === undefined || !isParticipation(entry.reason)) continue;
    if (total >= skipped && entries.length < page.size) entries.push(entry);
    total += 1;
  }
  return { entries, total };
}

function push(entries: Entry[], entry: Entry | undefined): void {
  if (entry !== undefined) entries.push(entry);
}
