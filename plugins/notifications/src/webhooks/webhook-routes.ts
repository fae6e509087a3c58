import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, type Router, rawBody, sendJson } from '@gantry/core/http';
import { HostedApi, HostedError } from '@gantry/hosted-api/service';
import { PublishEvents } from '../publish/publish-events.js';
import { ReadDelivery } from './read-delivery.js';

/** Bodies in memory at a time: senders are authenticated only after the body is read. */
const maxConcurrent = 32;

/** `POST /webhooks/NAME`: deliveries of code hosts, authenticated by their signatures. */
@injectable()
export class WebhookRoutes {
  #reading = 0;

  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ReadDelivery) private readonly readDelivery: ReadDelivery,
    @inject(PublishEvents) private readonly publishEvents: PublishEvents,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.openRoutes('notifications', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.post('/webhooks/:hook', (ctx) => this.#receive(ctx));
  }

  async #receive(ctx: Context<{ readonly hook: string }>): Promise<void> {
    if (this.#reading >= maxConcurrent) {
      ctx.res.setHeader('Retry-After', 1);
      throw new HostedError(503, 'Too many deliveries at a time');
    }
    this.#reading += 1;
    const body = await rawBody(ctx).finally(() => {
      this.#reading -= 1;
    });
    const { events, once } = this.readDelivery.read({
      hook: ctx.params.hook,
      event: header(ctx, 'event'),
      signature: ctx.get('X-Hub-Signature-256'),
      contentType: ctx.get('Content-Type'),
      body,
    });
    const { threads, repeated } = await this.publishEvents.publish(events, once);
    sendJson(ctx, { threads, repeated }, 202);
  }
}

/** Senders put their own name into the header. */
const vendors = ['host', 'github', 'gitea', 'forgejo', 'gogs'];

const header = (ctx: Context<{ readonly hook: string }>, name: string): string | undefined =>
  vendors.map((vendor) => ctx.get(`X-${vendor}-${name}`)).find((value) => value !== '');
