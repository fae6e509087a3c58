import type { Transaction } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { HostedAccounts } from '@gantry/hosted-api/service';
import type { Activity } from '../activity.js';
import { Inboxes } from '../inbox/inboxes.js';
import { NotificationStore, threadKey } from '../store/notification-store.js';
import type { RepositoryRecord, ThreadRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';
import { Watches } from '../store/watches.js';
import { actedOn, notified, type Update } from './next-thread.js';
import { type Recipient, recipientsOf } from './recipients-of.js';

/** A thread that a transaction changed, to be shown once it is committed. */
export interface ChangedThread {
  readonly accountId: number;
  readonly key: string;
  /** False for the thread of the actor. */
  readonly isNotified: boolean;
}

/** Creates and changes the threads of an activity's recipients. */
@injectable()
export class UpdateThreads {
  constructor(
    @inject(NotificationStore) private readonly store: NotificationStore,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(Watches) private readonly watches: Watches,
    @inject(Inboxes) private readonly inboxes: Inboxes,
    @inject(HostedAccounts.token) private readonly accounts: HostedAccounts,
  ) {}

  update(transaction: Transaction, activity: Activity): readonly ChangedThread[] {
    const repository = this.repositories.update(transaction, activity.repository, provenReaders(activity));
    const now = Date.now();
    const update: Update = {
      subject: activity.subject,
      at: Math.min(activity.at ?? now, now),
      now,
      watcherReason: activity.watchers || 'subscribed',
      arrival: () => this.store.nextArrival(),
    };
    const changed: (ChangedThread | undefined)[] = [];
    const actor = activity.actor === undefined ? undefined : this.accounts.find(activity.actor);
    const role = activity.actorTakesPartAs;
    if (actor !== undefined && role !== undefined) {
      const next = (thread: ThreadRecord) => actedOn(thread, role, now);
      changed.push(this.#change(transaction, activity, repository, actor.id, false, next));
    }
    for (const [accountId, recipient] of this.#recipients(transaction, activity, repository)) {
      const next = (thread: ThreadRecord) => notified(thread, recipient, update);
      changed.push(this.#change(transaction, activity, repository, accountId, true, next));
    }
    return changed.filter((each) => each !== undefined);
  }

  /** The recipients that may read the repository and do not ignore it. */
  #recipients(
    transaction: Transaction,
    activity: Activity,
    repository: RepositoryRecord,
  ): readonly (readonly [accountId: number, recipient: Recipient])[] {
    const found = recipientsOf(transaction, activity, {
      account: (login) => this.accounts.find(login)?.id,
      members: (within, team) => this.store.teamMembers(within, team),
      watchers: () => this.watches.watchers(repository.id),
      participants: () => this.inboxes.participants(repository.id, activity.subject.key),
    });
    return [...found].filter(([accountId]) => {
      const account = this.accounts.withId(accountId);
      if (account === undefined || !this.repositories.mayRead(account, repository)) return false;
      return this.watches.get(accountId, repository.id)?.level !== 'ignoring';
    });
  }

  #change(
    transaction: Transaction,
    activity: Activity,
    repository: RepositoryRecord,
    accountId: number,
    isNotified: boolean,
    next: (thread: ThreadRecord) => ThreadRecord | undefined,
  ): ChangedThread | undefined {
    const { threads } = this.store;
    const key = threadKey(accountId, repository.id, activity.subject.key);
    const before = transaction.get(threads, key) ?? newThread(accountId, repository, activity);
    const after = next(before);
    if (after === undefined || after === before) return undefined;
    const lastReadAt = this.inboxes.of(accountId).lastReadAt(key);
    const kept =
      after.notice && lastReadAt !== undefined ? { ...after, notice: { ...after.notice, lastReadAt } } : after;
    transaction.put(threads, key, kept.id === 0 ? { ...kept, id: this.store.nextThread() } : kept);
    this.inboxes.register(accountId, repository.id, activity.subject.key);
    return { accountId, key, isNotified };
  }
}

/** Actors and assignees have proved that they may read the repository; a mention proves nothing. */
function* provenReaders({ actor, concerns = [] }: Activity): Iterable<string> {
  if (actor !== undefined) yield actor;
  for (const { login, reason } of concerns) if (reason !== 'mention') yield login;
}

/** A thread without a number, which it gets when it is stored. */
const newThread = (accountId: number, { id }: RepositoryRecord, { subject }: Activity): ThreadRecord => ({
  ...{ id: 0, accountId, repositoryId: id, subject },
  subscription: 'default',
});
