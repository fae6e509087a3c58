import { isoSecond } from '@gantry/hosted-api/service';
import type { ThreadRecord, WatchRecord } from '../store/records.js';
import { threadUrl } from './thread-url.js';

/** Spec: Thread subscription. */
export function subscriptionJson({ id, subscription, standing, subscribedAt }: ThreadRecord, baseUrl: string) {
  const url = threadUrl(id, baseUrl);
  const subscribed = subscription === 'subscribed';
  return {
    subscribed,
    ignored: subscription === 'ignored',
    reason: subscribed ? (standing ?? 'manual') : null,
    created_at: isoSecond(subscribedAt ?? 0),
    url: `${url}/subscription`,
    thread_url: url,
  };
}

/** A user's watch of a repository. */
export const watchJson = ({ level, createdAt }: WatchRecord, repositoryUrl: string) => ({
  subscribed: level === 'watching',
  ignored: level === 'ignoring',
  reason: null,
  created_at: isoSecond(createdAt),
  url: `${repositoryUrl}/subscription`,
  repository_url: repositoryUrl,
});
