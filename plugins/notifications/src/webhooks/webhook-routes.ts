import { type Context, type Router, rawBody, sendJson } from '@gantry/core/http';
import type { Notifications } from '../service.js';
import { type ReceiverOptions, readDelivery } from './receive.js';

/** `POST /webhooks/NAME`: what code hosts send when something happens. Authenticated by its signature alone. */
export function webhookRoutes(router: Router, notifications: Notifications, options: ReceiverOptions): void {
  router.post('/webhooks/:hook', async (ctx) => {
    const delivery = readDelivery(
      {
        hook: ctx.params.hook,
        event: header(ctx, 'event'),
        signature: ctx.get('X-Hub-Signature-256'),
        contentType: ctx.get('Content-Type'),
        body: await rawBody(ctx),
      },
      options,
    );
    const { threads, repeated } = await notifications.publishAll(delivery.happenings, delivery.once);
    sendJson(ctx, { threads, repeated }, 202);
  });
}

/** Senders put their own name into the header. */
const vendors = ['host', 'github', 'gitea', 'forgejo', 'gogs'];

const header = (ctx: Context<{ readonly hook: string }>, name: string): string | undefined =>
  vendors.map((vendor) => ctx.get(`X-${vendor}-${name}`)).find((value) => value !== '');
