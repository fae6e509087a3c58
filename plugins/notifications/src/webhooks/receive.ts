import { createHash } from 'node:crypto';
import { HostedError, parseIsoMoment, parseObject } from '@gantry/hosted-api/service';
import type { EventSource, Happening } from '../activity.js';
import { Payload } from './payload.js';
import { isSigned } from './signature.js';

/** A webhook's request. */
export interface WebhookRequest {
  readonly hook: string;
  readonly event: string | undefined;
  readonly signature: string | undefined;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface ReadDelivery {
  readonly happenings: readonly Happening[];
  /** The same for every repetition of the delivery. */
  readonly once: string;
}

export interface ReceiverOptions {
  readonly secrets: () => ReadonlyMap<string, string>;
  readonly sources: () => Iterable<EventSource>;
  /** Older deliveries are refused: nobody remembers any more whether they came before. */
  readonly replayDays: () => number;
}

const day = 86_400_000;

/**
 * Checks a delivery and reads it. The number a sender gives a delivery is not signed, so a repetition is known by
 * what is: the body.
 * @throws HostedError 401 for a wrong signature, 422 for a delivery that is too old, 400 for what is no delivery.
 */
export function readDelivery(request: WebhookRequest, options: ReceiverOptions): ReadDelivery {
  const { body, hook, event } = request;
  const secret = options.secrets().get(hook);
  if (secret === undefined || !isSigned(secret, body, request.signature)) {
    throw new HostedError(401, 'The signature of the delivery is missing or wrong');
  }
  if (event === undefined || event === '') throw new HostedError(400, 'The header X-Host-Event is missing');
  const payload = parseObject(jsonOf(request));
  const sentAt = momentOf(payload);
  const days = options.replayDays();
  if (sentAt !== undefined && sentAt < Date.now() - days * day) {
    throw new HostedError(422, `The delivery is older than ${days} days`);
  }
  const delivery = { hook, event, payload };
  const happenings = [...options.sources()]
    .filter((source) => source.events.includes(event))
    .flatMap((source) => source.read(delivery));
  const digest = createHash('sha256').update(`${event}\n`).update(body).digest('hex');
  return { happenings, once: `hook/${hook}/${digest}` };
}

/** Senders may wrap the JSON in a form. */
function jsonOf({ contentType, body }: WebhookRequest): Buffer {
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return body;
  return Buffer.from(new URLSearchParams(body.toString('utf8')).get('payload') ?? '');
}

const places = ['comment', 'review', 'issue', 'pull_request', 'discussion', 'release', 'workflow_run', 'alert'];

/** When the newest thing in a delivery happened, in milliseconds; undefined for deliveries that do not say. */
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
