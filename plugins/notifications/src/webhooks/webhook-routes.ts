import { type Context, type Router, rawBody, sendJson } from '@gantry/core/http';
import { HostedError } from '@gantry/hosted-api/service';
import type { Notifications } from '../service.js';
import { type ReceiverOptions, readDelivery } from './receive.js';

/** Who sends them is only known when they are read: so many bodies at a time may be in memory. */
const mostAtOnce = 32;

/** `POST /webhooks/NAME`: what code hosts send when something happens. Authenticated by its signature alone. */
export function webhookRoutes(router: Router, notifications: Notifications, options: ReceiverOptions): void {
  let reading = 0;
  router.post('/webhooks/:hook', async (ctx) => {
    if (reading >= mostAtOnce) {
      ctx.res.setHeader('Retry-After', 1);
      throw new HostedError(503, 'Too many deliveries at a time');
    }
    reading += 1;
    const body = await rawBody(ctx).finally(() => {
      reading -= 1;
    });
    const delivery = readDelivery(
      {
        hook: ctx.params.hook,
        event: header(ctx, 'event'),
        signature: ctx.get('X-Hub-Signature-256'),
        contentType: ctx.get('Content-Type'),
        body,
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
