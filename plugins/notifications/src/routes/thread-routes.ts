import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { sendJson, statuses } from '@gantry/core/http';
import { HostedApi, type HostedRouter, isConditional, isUnchanged } from '@gantry/hosted-api/service';
import { MarkRead } from '../inbox/mark-read.js';
import { ThreadWire } from '../wire/thread-wire.js';
import { InboxAccess } from './inbox-access.js';

/** Spec: GET and PATCH /notifications/threads/{thread_id}. */
@injectable()
export class ThreadRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(InboxAccess) private readonly access: InboxAccess,
    @inject(MarkRead) private readonly markRead: MarkRead,
    @inject(ThreadWire) private readonly wire: ThreadWire,
  ) {}

  async start(): Promise<void> {
    const access = { scopes: ['notifications', 'repo'] } as const;
    this.lifetime.add(this.api.routes('notifications', access, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.get('/notifications/threads/:id', (ctx, caller) => {
      const entry = this.access.thread(caller, ctx.params.id);
      const baseUrl = this.api.baseUrl(ctx);
      ctx.res.setHeader('X-Poll-Interval', this.api.pollInterval());
      if (isUnchanged(ctx, { etag: this.wire.tag([entry], baseUrl), lastModified: entry.arrivedAt })) {
        ctx.status = 304;
        return;
      }
      sendJson(ctx, `${this.wire.text(entry, baseUrl)}\n`);
    });
    // Spec: Codes 205, 304 and 403; 401 is for routes that list it.
    router.patch('/notifications/threads/:id', statuses.unauthorizedIsForbidden, async (ctx, caller) => {
      const changed = await this.markRead.thread(caller.account.id, this.access.thread(caller, ctx.params.id));
      ctx.status = !changed && isConditional(ctx) ? 304 : 205;
    });
  }
}
