import type { CollectionDefinition } from '@gantry/core/contracts';
import { parseRecord } from '@gantry/hosted-api/service';
import type { RepositoryFacts, SubjectFacts } from '../activity.js';
import type { Reason } from '../reasons.js';

/** A repository, as its sources described it. */
export interface RepositoryRecord extends RepositoryFacts {
  /** This service's own number. */
  readonly id: number;
  /** Counts changes, for entity tags. */
  readonly revision: number;
  readonly private: boolean;
  /** Lower-case logins that may read it while it is private. */
  readonly readers: readonly string[];
}

/** How a user watches a repository. Without a record: only threads they participate in. */
export interface WatchRecord {
  readonly accountId: number;
  readonly repositoryId: number;
  /** `ignoring`: no notifications at all. */
  readonly level: 'watching' | 'ignoring';
  readonly createdAt: number;
}

/**
 * A user's subscription to a thread. `default`: never set. `muted`: until a comment or a mention, only notifications for
 * watchers. `ignored`: until a comment or a mention, none.
 */
export type Subscription = 'default' | 'subscribed' | 'ignored' | 'muted';

/** The thread's notification in the inbox. */
export interface Notice {
  readonly reason: Reason;
  /** Milliseconds. */
  readonly updatedAt: number;
  /** Increases with every update of any thread. */
  readonly arrival: number;
  readonly arrivedAt: number;
  /** The arrival up to which it was read; 0 for never. */
  readonly readArrival: number;
  readonly lastReadAt?: number;
}

/** One subject for one user. Without a notice it is not in the inbox: the user only participates. */
export interface ThreadRecord {
  readonly id: number;
  readonly accountId: number;
  readonly repositoryId: number;
  readonly subject: SubjectFacts;
  readonly subscription: Subscription;
  /** When the subscription was changed. */
  readonly subscribedAt?: number;
  /** The reason for later notifications of a participant. */
  readonly standing?: Reason;
  readonly notice?: Notice;
}

/** Marks all threads up to a point as read, without changing their records. */
export interface ReadMark {
  /** Absent for all repositories. */
  readonly repositoryId?: number;
  /** Threads updated later are not covered. */
  readonly until: number;
  /** Nor are later arrivals, whatever their time. */
  readonly arrival: number;
}

export const repositoryCollection: CollectionDefinition<RepositoryRecord> = {
  name: 'notification-repositories',
  version: 1,
  parse: (value) =>
    parseRecord<RepositoryRecord>(value, { id: 'number', owner: 'string', name: 'string', readers: 'object' }),
};

export const watchCollection: CollectionDefinition<WatchRecord> = {
  name: 'notification-watches',
  version: 1,
  parse: (value) => parseRecord<WatchRecord>(value, { accountId: 'number', repositoryId: 'number', level: 'string' }),
};

export const threadCollection: CollectionDefinition<ThreadRecord> = {
  name: 'notification-threads',
  version: 1,
  parse: (value) =>
    parseRecord<ThreadRecord>(value, { id: 'number', accountId: 'number', repositoryId: 'number', subject: 'object' }),
};

export const markCollection: CollectionDefinition<readonly ReadMark[]> = {
  name: 'notification-read-marks',
  version: 1,
  parse: (value) => {
    if (!Array.isArray(value)) throw new Error('the record is not an array');
    return value;
  },
};

/** A team's members: logins in lower case. */
export interface TeamRecord {
  readonly members: readonly string[];
}

/** A delivery that was received. */
export interface DeliveryRecord {
  readonly at: number;
}

export const teamCollection: CollectionDefinition<TeamRecord> = {
  name: 'notification-teams',
  version: 1,
  parse: (value) => parseRecord<TeamRecord>(value, { members: 'object' }),
};

export const deliveryCollection: CollectionDefinition<DeliveryRecord> = {
  name: 'notification-deliveries',
  version: 1,
  parse: (value) => parseRecord<DeliveryRecord>(value, { at: 'number' }),
};
