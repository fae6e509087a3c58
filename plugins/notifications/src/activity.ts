import type { Reason } from './reasons.js';

/** A source's facts about a repository. Absent fields keep their previous values. */
export interface RepositoryFacts {
  readonly owner: string;
  readonly name: string;
  /** Identifies a repository of one source across renames, such as `forge:123`. */
  readonly origin?: string;
  /** Shown as `id`; by default this service's own number. */
  readonly shownId?: number;
  readonly private?: boolean;
  readonly fork?: boolean;
  readonly description?: string | null;
  /** The repository's URL in the source's API; its other URLs are below it. */
  readonly url?: string;
  readonly htmlUrl?: string;
  readonly gitUrl?: string;
  readonly sshUrl?: string;
  readonly ownerId?: number;
  readonly ownerType?: string;
  readonly avatarUrl?: string;
}

export interface SubjectFacts {
  /** Identifies the thread within the repository, such as `issues/12`. At most 200 characters. */
  readonly key: string;
  readonly title: string;
  /** Such as `Issue`, `PullRequest`, `Commit`, `Release`. */
  readonly type: string;
  readonly url?: string;
  readonly latestCommentUrl?: string;
  /** The web page. */
  readonly htmlUrl?: string;
}

/** A user to notify for a reason of their own. */
export interface Concern {
  readonly login: string;
  readonly reason: Reason;
  /** Notifies the user also as the actor. */
  readonly self?: boolean;
}

/** One event of one subject. */
export interface Activity {
  readonly repository: RepositoryFacts;
  readonly subject: SubjectFacts;
  /** The login of the acting user; they are not notified. */
  readonly actor?: string;
  /** Makes the actor a participant, to notify of later activities for this reason. */
  readonly actorTakesPartAs?: Reason;
  readonly concerns?: readonly Concern[];
  /** Teams, as `org/team`, whose members are notified. */
  readonly teams?: readonly { readonly team: string; readonly reason: 'team_mention' | 'review_requested' }[];
  /** The reason for watchers of the repository; false excludes them. Default `subscribed`. */
  readonly watchers?: Reason | false;
  /** False to exclude participants. Default true. */
  readonly participants?: boolean;
  /** Milliseconds; shown as `updated_at`. Default, and at most, now. */
  readonly at?: number;
}

/** What a source reads from a delivery. */
export type NotificationEvent =
  | ({ readonly kind: 'activity' } & Activity)
  /** A user gained or lost access to a private repository. */
  | { readonly kind: 'reader'; readonly repository: RepositoryFacts; readonly login: string; readonly allowed: boolean }
  /** A user joined or left a team. */
  | { readonly kind: 'team-member'; readonly team: string; readonly login: string; readonly joined: boolean };

/** An authenticated message of a code host. */
export interface Delivery {
  /** The name of the webhook in the configuration. */
  readonly hook: string;
  /** Such as `issues`. */
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * An extension point: reads deliveries of the events it names. Several sources may read one event. A source is pure: this
 * plugin publishes its events in one transaction.
 */
export interface EventSource {
  readonly events: readonly string[];
  /** Empty for a delivery without interest to users. An error refuses the delivery. */
  read(delivery: Delivery): readonly NotificationEvent[];
}
