import type { Reason } from './reasons.js';

/** A repository as a source knows it. Everything but owner and name is kept from before when it is left out. */
export interface RepositoryFacts {
  readonly owner: string;
  readonly name: string;
  /** Tells repositories of one source apart when they are renamed, such as `forge:123`. */
  readonly origin?: string;
  /** Shown as `id`; by default one of this service's own. */
  readonly shownId?: number;
  readonly private?: boolean;
  readonly fork?: boolean;
  readonly description?: string | null;
  /** Of the source's API; the other addresses of the repository are below it. */
  readonly url?: string;
  readonly htmlUrl?: string;
  readonly gitUrl?: string;
  readonly sshUrl?: string;
  readonly ownerId?: number;
  readonly ownerType?: string;
  readonly avatarUrl?: string;
}

export interface SubjectFacts {
  /** One thread for each: unique in the repository, such as `issues/12`. At most 200 characters. */
  readonly key: string;
  readonly title: string;
  /** Such as `Issue`, `PullRequest`, `Commit`, `Release`. */
  readonly type: string;
  readonly url?: string;
  readonly latestCommentUrl?: string;
  /** Where a browser shows it. */
  readonly htmlUrl?: string;
}

/** Somebody who is told for a reason of their own. */
export interface Concern {
  readonly login: string;
  readonly reason: Reason;
  /** Tells the one who did it, too. */
  readonly self?: boolean;
}

/** One thing that happened to one subject. */
export interface Activity {
  readonly repository: RepositoryFacts;
  readonly subject: SubjectFacts;
  /** Who did it, and is not told. */
  readonly actor?: string;
  /** What it makes of the actor: later activities reach them for this reason. */
  readonly actorTakesPartAs?: Reason;
  readonly concerns?: readonly Concern[];
  /** `org/team`, each member of which is told with `team_mention`, or with `review_requested` where it says so. */
  readonly teams?: readonly { readonly team: string; readonly reason: 'team_mention' | 'review_requested' }[];
  /** How watchers of the repository are told; false leaves them out. Default `subscribed`. */
  readonly watchers?: Reason | false;
  /** False when those who take part are not told either. Default true. */
  readonly participants?: boolean;
  /** Milliseconds; shown as `updated_at`. Default, and at most, now. */
  readonly at?: number;
}

/** What a source reads from one delivery. */
export type Happening =
  | ({ readonly kind: 'activity' } & Activity)
  /** Somebody may, or may no longer, see a private repository. */
  | { readonly kind: 'reader'; readonly repository: RepositoryFacts; readonly login: string; readonly allowed: boolean }
  /** Somebody joined or left a team. */
  | { readonly kind: 'team-member'; readonly team: string; readonly login: string; readonly joined: boolean };

/** One message of a code host, with its signature already checked. */
export interface Delivery {
  /** The name of the webhook in the configuration. */
  readonly hook: string;
  /** Such as `issues`. */
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * An extension point: reads deliveries of the events it names. Several sources may read one event. Pure: what it
 * returns is stored and told by this plugin, in one transaction.
 */
export interface EventSource {
  readonly events: readonly string[];
  /** Empty when nobody is to be told. What it throws refuses the delivery. */
  read(delivery: Delivery): readonly Happening[];
}
