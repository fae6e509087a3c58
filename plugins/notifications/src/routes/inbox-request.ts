import { notFound } from '@gantry/core/errors';
import type { Context } from '@gantry/core/http';
import {
  bodyParameters,
  type Caller,
  type HostedApi,
  isConditional,
  isUnchanged,
  linkPages,
  queryParameters,
  readPage,
} from '@gantry/hosted-api/service';
import type { Entry } from '../inbox/entry.js';
import type { View } from '../inbox/inbox.js';
import type { Inboxes } from '../inbox/inboxes.js';
import { listThreads } from '../list.js';
import type { MarkRead, MarkRequest } from '../mark-read.js';
import type { RepositoryRecord } from '../store/records.js';
import type { Repositories } from '../store/repositories.js';
import type { ThreadWire } from '../wire.js';

/** What the routes of this plugin work with. */
export interface RouteParts {
  readonly api: HostedApi;
  readonly inboxes: Inboxes;
  readonly repositories: Repositories;
  readonly markRead: MarkRead;
  readonly wire: ThreadWire;
}

const resource = 'Notification';

/** Answers with one page of threads, or 304. Shared by `/notifications` and a repository's notifications. */
export function sendThreads<P>(
  ctx: Context<P>,
  { api, wire }: RouteParts,
  { account }: Caller,
  view: View,
  sizes: { readonly fallback: number; readonly max: number },
): void {
  const query = queryParameters(ctx, resource);
  const page = readPage(ctx, resource, sizes);
  const since = query.moment('since');
  const before = query.moment('before');
  const wanted = {
    all: query.boolean('all') ?? false,
    participating: query.boolean('participating') ?? false,
    ...(since !== undefined && { since }),
    ...(before !== undefined && { before }),
  };
  const { entries, total } = listThreads(view, wanted, page);
  const baseUrl = api.baseUrl(ctx);
  ctx.res.setHeader('X-Poll-Interval', api.pollInterval());
  linkPages(ctx, `${baseUrl}${ctx.path}`, page, total);
  const etag = wire.tag(entries, `${baseUrl}${ctx.path}`, JSON.stringify(wanted), page.number, page.size, total);
  // An inbox to which nothing came has been empty since there is one.
  if (isUnchanged(ctx, { etag, lastModified: view.lastArrivedAt || account.createdAt })) {
    ctx.status = 304;
    return;
  }
  ctx.res.setHeader('Content-Type', 'application/json');
  ctx.body = `[${entries.map((entry) => wire.text(entry, baseUrl)).join(',')}]\n`;
}

/**
 * Marks as read what the body says. 205 when it is done, 202 while it is being done; 304 when there was nothing to do
 * and the client asked for that answer by `read: false` or a validator.
 */
export async function markThreads<P>(
  ctx: Context<P>,
  { markRead }: RouteParts,
  scope: Omit<MarkRequest, 'until'>,
): Promise<void> {
  const body = await bodyParameters(ctx, resource);
  const until = body.moment('last_read_at');
  if (body.boolean('read') === false) {
    ctx.status = 304;
    return;
  }
  const { threads, complete } = await markRead.all({ ...scope, ...(until !== undefined && { until }) });
  if (!complete) {
    ctx.status = 202;
    ctx.body = {
      message: `${threads} notifications are being marked as read in the background; list with all=false for the rest.`,
    };
    return;
  }
  ctx.status = threads === 0 && isConditional(ctx) ? 304 : 205;
}

/** A thread of the caller's own. Others' and those that are not there are not told apart. @throws `not-found`. */
export function threadOf({ inboxes }: RouteParts, { account }: Caller, id: string): Entry {
  const entry = /^[1-9]\d{0,14}$/.test(id) ? inboxes.of(account.id).withId(Number(id)) : undefined;
  if (entry === undefined) throw notFound('no such thread');
  return entry;
}

/** A repository the caller may see. @throws `not-found` for all others. */
export function repositoryOf(
  { repositories }: RouteParts,
  { account }: Caller,
  { owner, repo }: { readonly owner: string; readonly repo: string },
): RepositoryRecord {
  const found = repositories.find(owner, repo);
  if (found === undefined || !repositories.mayRead(account, found)) throw notFound('no such repository');
  return found;
}
