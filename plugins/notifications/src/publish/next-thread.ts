import type { SubjectFacts } from '../activity.js';
import { isMention, isParticipation, nextReason, nextStanding, type Reason } from '../reasons.js';
import type { Notice, ThreadRecord } from '../store/records.js';
import type { Recipient } from './recipients-of.js';

/** An activity, as it changes a thread. */
export interface Update {
  readonly subject: SubjectFacts;
  /** Milliseconds, shown as `updated_at`. */
  readonly at: number;
  readonly now: number;
  /** The reason for watchers. */
  readonly watcherReason: Reason;
  arrival(): number;
}

/**
 * A thread after an activity of another user; undefined when its user is not notified. Spec: States and transitions,
 * Notification thread.
 */
export function notified(thread: ThreadRecord, recipient: Recipient, update: Update): ThreadRecord | undefined {
  const reason = reasonFor(thread, recipient, update.watcherReason);
  if (reason === undefined) return undefined;
  const joined =
    isParticipation(reason) && reason === recipient.concern ? takingPart(thread, reason, update.now) : thread;
  return { ...joined, subject: update.subject, notice: nextNotice(thread.notice, reason, update) };
}

/** A thread after an activity of its own user. A comment unmutes it. */
export function actedOn(thread: ThreadRecord, as: Reason, now: number): ThreadRecord {
  const isSilent = thread.subscription === 'ignored' || thread.subscription === 'muted';
  if (isSilent && as !== 'comment') return thread;
  return takingPart(thread, as, now);
}

function reasonFor(thread: ThreadRecord, { concern, watches }: Recipient, watcherReason: Reason): Reason | undefined {
  const { subscription, standing } = thread;
  const addressed = concern !== undefined && isMention(concern);
  if (subscription === 'ignored') return addressed ? concern : undefined;
  if (subscription === 'muted' && !addressed) return watches ? watcherReason : undefined;
  return concern ?? (subscription === 'subscribed' ? standing : undefined) ?? (watches ? watcherReason : undefined);
}

function takingPart(thread: ThreadRecord, as: Reason, now: number): ThreadRecord {
  const isNew = thread.subscription !== 'subscribed';
  return {
    ...thread,
    subscription: 'subscribed',
    standing: nextStanding(thread.standing, as),
    ...(isNew && { subscribedAt: now }),
  };
}

function nextNotice(before: Notice | undefined, incoming: Reason, { at, now, arrival }: Update): Notice {
  return {
    readArrival: 0,
    ...before,
    reason: nextReason(before?.reason, incoming),
    updatedAt: Math.max(at, before?.updatedAt ?? 0),
    arrival: arrival(),
    arrivedAt: now,
  };
}
