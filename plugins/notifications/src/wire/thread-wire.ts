import { inject, injectable } from '@gantry/core/driver';
import { entityTag, isoSecond } from '@gantry/hosted-api/service';
import type { InboxEntry } from '../inbox/inbox-entry.js';
import { Repositories } from '../store/repositories.js';
import { RepositoryTexts } from './repository-texts.js';
import { threadUrl } from './thread-url.js';

/** Threads as JSON. Spec: Notification thread. */
@injectable()
export class ThreadWire {
  constructor(
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(RepositoryTexts) private readonly texts: RepositoryTexts,
  ) {}

  /** The JSON text of one thread. */
  text({ record, reason, updatedAt, unread, lastReadAt }: InboxEntry, baseUrl: string): string {
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

  /** The entity tag of a list of threads. */
  tag(entries: readonly InboxEntry[], ...more: readonly (string | number)[]): string {
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
