import { createHash } from 'node:crypto';
import { inject, injectable } from '@gantry/core/driver';
import { HostedError, parseIsoMoment, parseObject } from '@gantry/hosted-api/service';
import type { NotificationEvent } from '../activity.js';
import { Payload } from '../payloads/payload.js';
import { NotificationSettings } from '../settings/notification-settings.js';
import { EventSources } from './event-sources.js';
import { isSigned } from './is-signed.js';

/** A webhook's request. */
interface WebhookRequest {
  readonly hook: string;
  readonly event: string | undefined;
  readonly signature: string | undefined;
  readonly contentType: string;
  readonly body: Buffer;
}

interface ParsedDelivery {
  readonly events: readonly NotificationEvent[];
  /** The same for every repetition of the delivery. */
  readonly once: string;
}

const dayMs = 86_400_000;

@injectable()
export class ReadDelivery {
  constructor(
    @inject(NotificationSettings) private readonly settings: NotificationSettings,
    @inject(EventSources) private readonly sources: EventSources,
  ) {}

  /**
   * Authenticates and parses a delivery. A repetition is identified by its body: the delivery's number is not signed.
   * @throws HostedError 401 for a wrong signature, 422 for a delivery that is too old, 400 for a malformed one.
   */
  read(request: WebhookRequest): ParsedDelivery {
    const { body, hook, event } = request;
    const secret = this.settings.secrets.get(hook);
    if (secret === undefined || !isSigned(secret, body, request.signature)) {
      throw new HostedError(401, 'The signature of the delivery is missing or wrong');
    }
    if (event === undefined || event === '') throw new HostedError(400, 'The header X-Host-Event is missing');
    const payload = parseObject(jsonOf(request));
    this.#refuseExpired(payload);
    const events = this.sources.reading(event).flatMap((source) => source.read({ hook, event, payload }));
    const digest = createHash('sha256').update(`${event}\n`).update(body).digest('hex');
    return { events, once: `hook/${hook}/${digest}` };
  }

  /** The records of older deliveries are deleted, so that a replay could not be recognized. */
  #refuseExpired(payload: Readonly<Record<string, unknown>>): void {
    const sentAt = momentOf(payload);
    const days = this.settings.config.replayDays;
    if (sentAt !== undefined && sentAt < Date.now() - days * dayMs) {
      throw new HostedError(422, `The delivery is older than ${days} days`);
    }
  }
}

/** Senders may wrap the JSON in a form. */
function jsonOf({ contentType, body }: WebhookRequest): Buffer {
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return body;
  return Buffer.from(new URLSearchParams(body.toString('utf8')).get('payload') ?? '');
}

const places = ['comment', 'review', 'issue', 'pull_request', 'discussion', 'release', 'workflow_run', 'alert'];

/** The latest time in a delivery, in milliseconds; undefined when it has none. */
function momentOf(value: Readonly<Record<string, unknown>>): number | undefined {
  const payload = new Payload(value);
  const moments = places.flatMap((place) =>
    ['updated_at', 'submitted_at', 'published_at', 'created_at'].map((name) => {
      const text = payload.at(place).text(name);
      return text === undefined ? undefined : parseIsoMoment(text);
    }),
  );
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
