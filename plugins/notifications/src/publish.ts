import type { Transaction } from '@gantry/core/contracts';
import type { Account } from '@gantry/hosted-api/service';
import type { Activity, Happening } from './activity.js';
import { checkSubject } from './check-facts.js';
import type { Inboxes } from './inbox/inboxes.js';
import { actedOn, notified, type Update } from './next-thread.js';
import { recipientsOf } from './recipients.js';
import type { RepositoryRecord, ThreadRecord } from './store/records.js';
import type { Repositories } from './store/repositories.js';
import { type NotificationStore, threadKey } from './store/store.js';
import type { Watches } from './store/watches.js';

export interface PublishParts {
  readonly store: NotificationStore;
  readonly repositories: Repositories;
  readonly watches: Watches;
  readonly inboxes: Inboxes;
  account(login: string): Account | undefined;
  accountWithId(id: number): Account | undefined;
}

/** A thread that a transaction has changed, to be shown when it is committed. */
interface Changed {
  readonly accountId: number;
  readonly key: string;
  readonly isTold: boolean;
}

export interface Published {
  readonly threads: number;
  readonly repeated: boolean;
}

/**
 * Turns what happened into threads: all of it in one transaction, with the key by which a repetition is known. The
 * inboxes show it once it is durable.
 */
export async function publish(
  parts: PublishParts,
  happenings: readonly Happening[],
  once?: string,
): Promise<Published> {
  for (const happening of happenings) if (happening.kind === 'activity') checkSubject(happening.subject);
  const changed = await parts.store.transaction((transaction) => {
    const { deliveries } = parts.store;
    if (once !== undefined && transaction.get(deliveries, once) !== undefined) return undefined;
    if (once !== undefined) transaction.put(deliveries, once, { at: Date.now() });
    return happenings.flatMap((happening) => apply(parts, transaction, happening));
  });
  for (const { accountId, key } of changed ?? []) parts.inboxes.show(accountId, key);
  const told = new Set((changed ?? []).filter(({ isTold }) => isTold).map(({ key }) => key));
  return { threads: told.size, repeated: changed === undefined };
}

function apply(parts: PublishParts, transaction: Transaction, happening: Happening): readonly Changed[] {
  const { repositories, store } = parts;
  switch (happening.kind) {
    case 'activity':
      return tell(parts, transaction, happening);
    case 'reader':
      repositories.setReader(transaction, happening.repository, happening.login, happening.allowed);
      return [];
    case 'team-member': {
      const key = happening.team.toLowerCase();
      const login = happening.login.toLowerCase();
      const others = (transaction.get(store.teams, key)?.members ?? []).filter((member) => member !== login);
      transaction.put(store.teams, key, { members: happening.joined ? [...others, login] : others });
      return [];
    }
  }
}

function tell(parts: PublishParts, transaction: Transaction, activity: Activity): readonly Changed[] {
  const { store, watches, inboxes } = parts;
  const repository = parts.repositories.learn(transaction, activity.repository, provenReaders(activity));
  const now = Date.now();
  const update: Update = {
    subject: activity.subject,
    at: Math.min(activity.at ?? now, now),
    now,
    watcherReason: activity.watchers || 'subscribed',
    arrival: () => store.nextArrival(),
  };
  const recipients = recipientsOf(transaction, activity, {
    account: (login) => parts.account(login)?.id,
    members: (within, team) => within.get(store.teams, team.toLowerCase())?.members ?? [],
    watchers: () => watches.watchers(repository.id),
    participants: () => inboxes.concerned(repository.id, activity.subject.key),
  });
  const changed: Changed[] = [];
  const change = (accountId: number, isTold: boolean, next: (thread: ThreadRecord) => ThreadRecord | undefined) => {
    const key = threadKey(accountId, repository.id, activity.subject.key);
    const before = transaction.get(store.threads, key) ?? draft(accountId, repository, activity);
    const after = next(before);
    if (after === undefined || after === before) return;
    const seen = inboxes.of(accountId).lastReadAt(key);
    const kept =
      after.notice && seen !== undefined ? { ...after, notice: { ...after.notice, lastReadAt: seen } } : after;
    transaction.put(store.threads, key, kept.id === 0 ? { ...kept, id: store.nextThread() } : kept);
    inboxes.register(accountId, repository.id, activity.subject.key);
    changed.push({ accountId, key, isTold });
  };
  const actor = activity.actor === undefined ? undefined : parts.account(activity.actor);
  const role = activity.actorTakesPartAs;
  if (actor !== undefined && role !== undefined) change(actor.id, false, (thread) => actedOn(thread, role, now));
  for (const [accountId, recipient] of recipients) {
    const account = parts.accountWithId(accountId);
    if (account === undefined || !parts.repositories.mayRead(account, repository)) continue;
    if (watches.get(accountId, repository.id)?.level === 'ignoring') continue;
    change(accountId, true, (thread) => notified(thread, recipient, update));
  }
  return changed;
}

/** What one does, and what one is given to do, proves that one may see the repository; being mentioned does not. */
function* provenReaders({ actor, concerns = [] }: Activity): Iterable<string> {
  if (actor !== undefined) yield actor;
  for (const { login, reason } of concerns) if (reason !== 'mention') yield login;
}

/** A thread that is not there yet: it gets its number when it is stored. */
const draft = (accountId: number, { id }: RepositoryRecord, { subject }: Activity): ThreadRecord => ({
  ...{ id: 0, accountId, repositoryId: id, subject },
  subscription: 'default',
});
