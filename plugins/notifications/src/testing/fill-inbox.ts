import type { Activity } from '../service.js';
import type { InboxHarness } from './harness.js';

/** Notifies the user `octavia`. */
export const forOctavia = { concerns: [{ login: 'octavia', reason: 'mention' }] } as const satisfies Partial<Activity>;
/** A minute of the year 2026. */
export const at = (minute: number) => Date.UTC(2026, 0, 1, 0, minute);
export const iso = (minute: number) => new Date(at(minute)).toISOString().replace('.000', '');

/** Threads `issues/1` to `issues/N`, updated in the first minutes of 2026. */
export async function fillInbox(
  { publish }: InboxHarness,
  count: number,
  activity: Partial<Activity> = forOctavia,
): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await publish({ key: `issues/${number}`, at: at(number), ...activity });
  }
}

/** The numbers of issues. */
export const keysOf = (threads: readonly { readonly subject: { readonly title: string } }[]) =>
  threads.map(({ subject }) => Number(subject.title.split('/')[1]));
