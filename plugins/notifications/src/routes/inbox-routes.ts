import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, sendJson } from '@gantry/core/http';
import {
  bodyParameters,
  type Caller,
  HostedApi,
  type HostedRouter,
  isConditional,
  isUnchanged,
  linkPages,
  queryParameters,
  readPage,
} from '@gantry/hosted-api/service';
import type { InboxView } from '../inbox/inbox-view.js';
import { Inboxes } from '../inbox/inboxes.js';
import { listThreads } from '../inbox/list-threads.js';
import { MarkRead, type MarkRequest } from '../inbox/mark-read.js';
import { ThreadWire } from '../wire/thread-wire.js';
import { InboxAccess } from './inbox-access.js';

const resource = 'Notification';

/** Spec: Authentication. Either scope suffices. */
const scopes = ['notifications', 'repo'] as const;

/** Spec: GET and PUT /notifications, and both for one repository. */
@injectable()
export class InboxRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Inboxes) private readonly inboxes: Inboxes,
    @inject(InboxAccess) private readonly access: InboxAccess,
    @inject(MarkRead) private readonly markRead: MarkRead,
    @inject(ThreadWire) private readonly wire: ThreadWire,
  ) {}

  async start(): Promise<void> {
    const list = { scopes, spamIsInvalid: true } as const;
    this.lifetime.add(this.api.routes('notifications', list, (router) => this.declareList(router)));
    this.lifetime.add(this.api.routes('notifications', { scopes }, (router) => this.declare(router)));
  }

  declareList(router: HostedRouter): void {
    router.get('/notifications', (ctx, caller) => {
      this.#list(ctx, caller, this.inboxes.of(caller.account.id).view, { fallback: 50, max: 50 });
    });
  }

  declare(router: HostedRouter): void {
    router.put('/notifications', (ctx, { account }) => this.#mark(ctx, { accountId: account.id }));
    router.get('/repos/:owner/:repo/notifications', (ctx, caller) => {
      const { id } = this.access.repository(caller, ctx.params);
      this.#list(ctx, caller, this.inboxes.of(caller.account.id).ofRepository(id), { fallback: 30, max: 100 });
    });
    router.put('/repos/:owner/:repo/notifications', (ctx, caller) => {
      const { id } = this.access.repository(caller, ctx.params);
      return this.#mark(ctx, { accountId: caller.account.id, repositoryId: id });
    });
  }

  /** Responds with one page of threads, or 304. */
  #list<P>(
    ctx: Context<P>,
    { account }: Caller,
    view: InboxView,
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
    const baseUrl = this.api.baseUrl(ctx);
    ctx.res.setHeader('X-Poll-Interval', this.api.pollInterval());
    linkPages(ctx, `${baseUrl}${ctx.path}`, page, total);
    const list = [`${baseUrl}${ctx.path}`, JSON.stringify(wanted), page.number, page.size, total];
    const etag = this.wire.tag(entries, ...list);
    // An inbox without threads was last modified when the account was created.
    if (isUnchanged(ctx, { etag, lastModified: view.lastArrivedAt || account.createdAt })) {
      ctx.status = 304;
      return;
    }
    ctx.res.setHeader('Content-Type', 'application/json');
    ctx.body = `[${entries.map((entry) => this.wire.text(entry, baseUrl)).join(',')}]\n`;
  }

  /**
   * Marks threads as read. 205 when done, 202 while the rest is marked in the background; 304 when nothing was unread
   * and the client sent `read: false` or a validator.
   */
  async #mark<P>(ctx: Context<P>, scope: Omit<MarkRequest, 'until'>): Promise<void> {
    const body = await bodyParameters(ctx, resource);
    const until = body.moment('last_read_at');
    if (body.boolean('read') === false) {
      ctx.status = 304;
      return;
    }
    const { threads, complete } = await this.markRead.all({ ...scope, ...(until !== undefined && { until }) });
    if (!complete) {
      const message = `${threads} notifications are being marked as read in the background`;
      sendJson(ctx, { message: `${message}; list with all=false for the rest.` }, 202);
      return;
    }
    ctx.status = threads === 0 && isConditional(ctx) ? 304 : 205;
  }
}
