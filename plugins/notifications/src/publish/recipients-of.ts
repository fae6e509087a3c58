import type { Transaction } from '@gantry/core/contracts';
import type { Activity } from '../activity.js';
import { type Reason, stronger } from '../reasons.js';

/** Why an account is notified of an activity. */
export interface Recipient {
  /** The account's own reason; undefined for one that only participates or watches. */
  readonly concern?: Reason;
  /** Whether the account watches the repository. */
  readonly watches: boolean;
}

interface RecipientSources {
  /** The account of a login; undefined without one. */
  account(login: string): number | undefined;
  /** Logins of a team. */
  members(transaction: Transaction, team: string): readonly string[];
  watchers(): Iterable<number>;
  /** Accounts with a thread of the subject. */
  participants(): Iterable<number>;
}

/** The accounts that an activity may concern, except its actor's. */
export function recipientsOf(
  transaction: Transaction,
  activity: Activity,
  sources: RecipientSources,
): ReadonlyMap<number, Recipient> {
  const actor = activity.actor === undefined ? undefined : sources.account(activity.actor);
  const found = new Map<number, Recipient>();
  const add = (accountId: number | undefined, change: Partial<Recipient>, self = false): void => {
    if (accountId === undefined || (accountId === actor && !self)) return;
    const before = found.get(accountId) ?? { watches: false };
    const concern =
      before.concern && change.concern ? stronger(before.concern, change.concern) : (change.concern ?? before.concern);
    found.set(accountId, { watches: change.watches ?? before.watches, ...(concern !== undefined && { concern }) });
  };
  if (activity.participants !== false) for (const accountId of sources.participants()) add(accountId, {});
  if (activity.watchers !== false) for (const accountId of sources.watchers()) add(accountId, { watches: true });
  for (const { team, reason } of activity.teams ?? []) {
    for (const login of sources.members(transaction, team)) add(sources.account(login), { concern: reason });
  }
  for (const { login, reason, self } of activity.concerns ?? []) add(sources.account(login), { concern: reason }, self);
  return found;
}
