import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { Activity, EventSource, Happening } from './activity.js';

export type {
  Activity,
  Concern,
  Delivery,
  EventSource,
  Happening,
  RepositoryFacts,
  SubjectFacts,
} from './activity.js';
export type { Reason } from './reasons.js';

/** What became of an activity. */
export interface Told {
  /** How many users have a new or changed thread. */
  readonly threads: number;
}

/** The inboxes of all users, for other sources of activities. */
export interface Notifications {
  /** Makes threads of it. Durable when it resolves. @throws HostedError 422 for facts that cannot be kept. */
  publish(activity: Activity): Promise<Told>;
  /** The same for all at once, or none; a `once` key that was used before changes nothing. */
  publishAll(happenings: readonly Happening[], once?: string): Promise<Told & { readonly repeated: boolean }>;
  /** Reads webhooks with another source, too. @returns takes it out again. */
  addSource(source: EventSource): () => void;
}

export const Notifications: ServicePoint<Notifications> = servicePoint<Notifications>('notifications');
