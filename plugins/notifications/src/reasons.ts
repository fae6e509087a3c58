/** Why a user is told of a thread. Spec: Notification reasons. */
export const reasons = [
  'assign',
  'author',
  'comment',
  'ci_activity',
  'invitation',
  'manual',
  'mention',
  'review_requested',
  'security_alert',
  'state_change',
  'subscribed',
  'team_mention',
] as const;
export type Reason = (typeof reasons)[number];

export const isReason = (value: unknown): value is Reason => reasons.some((reason) => reason === value);

/** What nobody has to take part for: such a thread has no subscription, and `participating` leaves it out. */
const impersonal: ReadonlySet<Reason> = new Set(['subscribed', 'ci_activity', 'security_alert', 'invitation']);

/** True when the user takes part in the conversation, or was addressed in it. */
export const isParticipation = (reason: Reason): boolean => !impersonal.has(reason);

/** A mention ends a mute, and so does a team's. */
export const isMention = (reason: Reason): boolean => reason === 'mention' || reason === 'team_mention';

/** Of several reasons in one activity the first in this order counts. */
const weights: readonly Reason[] = [
  'mention',
  'review_requested',
  'assign',
  'team_mention',
  'security_alert',
  'ci_activity',
  'invitation',
  'author',
  'state_change',
  'comment',
  'manual',
  'subscribed',
];

export const stronger = (one: Reason, other: Reason): Reason =>
  weights.indexOf(one) <= weights.indexOf(other) ? one : other;

/** The reason of a thread: a later notification's, but a mention stays one. */
export const nextReason = (current: Reason | undefined, incoming: Reason): Reason =>
  current === 'mention' ? current : incoming;

/** Why later notifications reach somebody who takes part: an author stays one, others are what they did last. */
export const nextStanding = (current: Reason | undefined, incoming: Reason): Reason =>
  current === 'author' ? current : incoming;
