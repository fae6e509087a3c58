import type { CollectionDefinition } from '@gantry/core/contracts';
import { parseRecord } from '@gantry/hosted-api/service';
import type { RepositoryFacts, SubjectFacts } from '../activity.js';
import type { Reason } from '../reasons.js';

/** A repository, as far as it was told of. */
export interface RepositoryRecord extends RepositoryFacts {
  /** This service's own. */
  readonly id: number;
  /** Counts changes, for entity tags. */
  readonly revision: number;
  readonly private: boolean;
  /** Logins, in lower case, who may see it while it is private. */
  readonly readers: readonly string[];
}

/** How a user follows a repository. Without a record: only what they take part in. */
export interface WatchRecord {
  readonly accountId: number;
  readonly repositoryId: number;
  /** `ignoring`: nothing is told, whatever happens. */
  readonly level: 'watching' | 'ignoring';
  readonly createdAt: number;
}

/**
 * What a user wants of a thread. `default`: never asked. `muted`: nothing until a comment or a mention, but what
 * watchers get. `ignored`: nothing until a comment or a mention.
 */
export type Subscription = 'default' | 'subscribed' | 'ignored' | 'muted';

/** What the inbox shows of a thread. */
export interface Notice {
  readonly reason: Reason;
  /** Milliseconds. */
  readonly updatedAt: number;
  /** Of the update: higher than that of all before it, of all users. */
  readonly arrival: number;
  readonly arrivedAt: number;
  /** The arrival up to which it was read; 0 when it never was. */
  readonly readArrival: number;
  readonly lastReadAt?: number;
}

/** One subject for one user. Without a notice it is not in the inbox: the user only takes part. */
export interface ThreadRecord {
  readonly id: number;
  readonly accountId: number;
  readonly repositoryId: number;
  readonly subject: SubjectFacts;
  readonly subscription: Subscription;
  /** Since when the subscription is what it is. */
  readonly subscribedAt?: number;
  /** Why later activities reach a participant. */
  readonly standing?: Reason;
  readonly notice?: Notice;
}

/** Says that all threads up to a point are read, without touching them. */
export interface ReadMark {
  /** Absent for all repositories. */
  readonly repositoryId?: number;
  /** Threads updated later are not meant. */
  readonly until: number;
  /** Nor what arrived later, whatever its time. */
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
    if (!Array.isArray(value)) throw new Error('the record is no list');
    return value;
  },
};

/** Who is on a team: logins in lower case. */
export interface TeamRecord {
  readonly members: readonly string[];
}

/** A delivery that came before. */
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
