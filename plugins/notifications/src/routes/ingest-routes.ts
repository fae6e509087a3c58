import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { sendJson } from '@gantry/core/http';
import { bodyParameters, HostedApi, type HostedRouter, type Parameters } from '@gantry/hosted-api/service';
import type { Activity, Concern } from '../activity.js';
import { Payload, present, webAddress } from '../payloads/payload.js';
import { PublishEvents } from '../publish/publish-events.js';
import { isReason, reasons } from '../reasons.js';

/** `POST /ingest/notifications`, for sources without webhooks. Tokens need the scope `ingest`. */
@injectable()
export class IngestRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(PublishEvents) private readonly publishEvents: PublishEvents,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('notifications', { scopes: ['ingest'] }, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.post('/ingest/notifications', async (ctx, { account }) => {
      const body = await bodyParameters(ctx, 'Activity');
      const activity = activityOf(body);
      const key = body.string('idempotency_key');
      const once = key === undefined ? undefined : `ingest/${account.id}/${key.slice(0, 200)}`;
      const { threads, repeated } = await this.publishEvents.publish([{ kind: 'activity', ...activity }], once);
      sendJson(ctx, { threads, repeated }, repeated ? 200 : 201);
    });
  }
}

function activityOf(body: Parameters): Activity {
  const [owner, name, ...more] = (body.string('repository') ?? '').split('/');
  if (!owner || !name || more.length > 0) throw body.invalid('repository', 'a name such as "octavia/tools"');
  const facts = new Payload(body.value('subject'));
  const subject = { key: facts.text('key'), title: facts.text('title'), type: facts.text('type') };
  for (const [field, value] of Object.entries(subject)) {
    if (value === undefined) throw body.fault(`subject.${field}`, 'missing_field');
  }
  const reason = body.value('actor_takes_part_as');
  if (reason !== undefined && !isReason(reason)) throw body.invalid('actor_takes_part_as', expectedReason);
  const isPrivate = body.boolean('private');
  return {
    repository: { owner, name, ...present({ private: isPrivate, htmlUrl: webAddress(body.string('repository_url')) }) },
    subject: {
      key: subject.key ?? '',
      title: subject.title ?? '',
      type: subject.type ?? '',
      ...present({
        url: facts.address('url'),
        latestCommentUrl: facts.address('latest_comment_url'),
        htmlUrl: facts.address('html_url'),
      }),
    },
    concerns: concernsOf(body),
    ...(body.boolean('watchers') === false && { watchers: false }),
    ...present({ actor: body.string('actor'), actorTakesPartAs: reason, at: body.moment('updated_at') }),
  };
}

const expectedReason = `one of ${reasons.join(', ')}`;

function concernsOf(body: Parameters): readonly Concern[] {
  const value = body.value('recipients');
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw body.invalid('recipients', 'a list');
  return value.map((each: unknown): Concern => {
    const recipient = new Payload(each);
    const login = recipient.text('login');
    const reason = recipient.text('reason');
    if (login === undefined) throw body.fault('recipients.login', 'missing_field');
    if (!isReason(reason))
      throw body.fault('recipients.reason', 'invalid', `${JSON.stringify(reason)} is not ${expectedReason}`);
    return { login, reason, self: true };
  });
}
