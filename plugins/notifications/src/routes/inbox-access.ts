import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { Caller } from '@gantry/hosted-api/service';
import type { InboxEntry } from '../inbox/inbox-entry.js';
import { Inboxes } from '../inbox/inboxes.js';
import type { RepositoryRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';

/** Finds the threads and repositories of requests, if the caller may see them. */
@injectable()
export class InboxAccess {
  constructor(
    @inject(Inboxes) private readonly inboxes: Inboxes,
    @inject(Repositories) private readonly repositories: Repositories,
  ) {}

  /** A thread of the caller. @throws `not-found` also for another user's, so that its existence is not disclosed. */
  thread({ account }: Caller, id: string): InboxEntry {
    const entry = /^[1-9]\d{0,14}$/.test(id) ? this.inboxes.of(account.id).withId(Number(id)) : undefined;
    if (entry === undefined) throw notFound('no such thread');
    return entry;
  }

  /** A repository the caller may read. @throws `not-found` for all others. */
  repository(
    { account }: Caller,
    { owner, repo }: { readonly owner: string; readonly repo: string },
  ): RepositoryRecord {
    const found = this.repositories.find(owner, repo);
    if (found === undefined || !this.repositories.mayRead(account, found)) throw notFound('no such repository');
    return found;
  }
}
