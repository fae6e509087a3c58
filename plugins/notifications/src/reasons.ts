/** Why a user is notified of a thread. Spec: Notification reasons. */
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

/** Reasons that involve no participation: such a thread has no subscription, and `participating` excludes it. */
const impersonal: ReadonlySet<Reason> = new Set(['subscribed', 'ci_activity', 'security_alert', 'invitation']);

/** Whether the user participates in the conversation, or was addressed in it. */
export const isParticipation = (reason: Reason): boolean => !impersonal.has(reason);

/** A mention of the user or of a team unmutes a thread. */
export const isMention = (reason: Reason): boolean => reason === 'mention' || reason === 'team_mention';

/** Of several reasons of one activity, the first in this order applies. */
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

/** The reason of a thread: the latest notification's, except that a mention is kept. */
export const nextReason = (current: Reason | undefined, incoming: Reason): Reason =>
  current === 'mention' ? current : incoming;

/** The reason for later notifications of a participant: that of their last activity, except that an author is kept. */
export const nextStanding = (current: Reason | undefined, incoming: Reason): Reason =>
  current === 'author' ? current : incoming;
