import { entityTag, isoSecond } from '@gantry/hosted-api/service';
import type { Entry } from './inbox/entry.js';
import type { RepositoryTexts } from './repository-json.js';
import type { ThreadRecord, WatchRecord } from './store/records.js';
import type { Repositories } from './store/repositories.js';

const threadUrl = (id: number, baseUrl: string): string => `${baseUrl}/notifications/threads/${id}`;

/** Threads in the words of the specification. */
export class ThreadWire {
  constructor(
    private readonly repositories: Repositories,
    private readonly texts: RepositoryTexts,
  ) {}

  /** The JSON text of one thread. */
  text({ record, reason, updatedAt, unread, lastReadAt }: Entry, baseUrl: string): string {
    const { id, subject, repositoryId } = record;
    const repository = this.repositories.withId(repositoryId);
    const url = threadUrl(id, baseUrl);
    const rest = {
      subject: {
        title: subject.title,
        url: subject.url ?? url,
        latest_comment_url: subject.latestCommentUrl ?? subject.url ?? url,
        type: subject.type,
        ...(subject.htmlUrl !== undefined && { html_url: subject.htmlUrl }),
      },
      reason,
      unread,
      updated_at: isoSecond(updatedAt),
      last_read_at: lastReadAt === undefined ? null : isoSecond(lastReadAt),
      url,
      subscription_url: `${url}/subscription`,
    };
    const repositoryText = repository === undefined ? 'null' : this.texts.of(repository, baseUrl);
    return `{"id":"${id}","repository":${repositoryText},${JSON.stringify(rest).slice(1)}`;
  }

  /** Changes with whatever a list of these threads shows. */
  tag(entries: readonly Entry[], ...more: readonly (string | number)[]): string {
    return entityTag([
      ...more,
      ...entries.flatMap(({ record, arrival, unread, lastReadAt }) => [
        record.id,
        arrival,
        unread,
        lastReadAt,
        this.repositories.withId(record.repositoryId)?.revision,
      ]),
    ]);
  }
}

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

/** How a user follows a repository. */
export const watchJson = ({ level, createdAt }: WatchRecord, repositoryUrl: string) => ({
  subscribed: level === 'watching',
  ignored: level === 'ignoring',
  reason: null,
  created_at: isoSecond(createdAt),
  url: `${repositoryUrl}/subscription`,
  repository_url: repositoryUrl,
});
