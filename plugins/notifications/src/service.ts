import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { Activity, EventSource, NotificationEvent } from './activity.js';

export type {
  Activity,
  Concern,
  Delivery,
  EventSource,
  NotificationEvent,
  RepositoryFacts,
  SubjectFacts,
} from './activity.js';
export type { Reason } from './reasons.js';

export interface PublishResult {
  /** How many users have a new or changed thread. */
  readonly threads: number;
}

/** The inboxes of all users, for other publishers of activities. */
export interface Notifications {
  /** Creates or updates threads. Durable when it resolves. @throws HostedError 422 for an invalid subject or name. */
  publish(activity: Activity): Promise<PublishResult>;
  /** Publishes all events in one transaction; with a `once` key that was used before, none. */
  publishAll(
    events: readonly NotificationEvent[],
    once?: string,
  ): Promise<PublishResult & { readonly repeated: boolean }>;
  /** Adds a reader of webhook deliveries. @returns removes it. */
  addSource(source: EventSource): () => void;
}

export const Notifications: ServicePoint<Notifications> = servicePoint<Notifications>('notifications');
