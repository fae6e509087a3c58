import test from 'ava';
import { nextReason, type Reason } from '../reasons.js';
import type { Subscription, ThreadRecord } from '../store/records.js';
import { actedOn, notified } from './next-thread.js';

const subject = { key: 'issues/1', title: 'One', type: 'Issue' };
let arrivals = 0;

const thread = (subscription: Subscription = 'default', standing?: Reason): ThreadRecord => ({
  ...{ id: 1, accountId: 1, repositoryId: 1, subject, subscription },
  ...(standing !== undefined && { standing }),
});

const notify = (before: ThreadRecord, concern?: Reason, watches = false): ThreadRecord | undefined =>
  notified(
    before,
    { watches, ...(concern !== undefined && { concern }) },
    { subject, at: 5, now: 10, watcherReason: 'subscribed', arrival: () => ++arrivals },
  );

const outcome = (after: ThreadRecord | undefined) => after && [after.subscription, after.notice?.reason];

test('without a subscription a user is notified of what concerns them, and as a watcher of everything', (t) => {
  t.is(notify(thread()), undefined);
  t.deepEqual(outcome(notify(thread(), undefined, true)), ['default', 'subscribed']);
  t.deepEqual(outcome(notify(thread(), 'mention')), ['subscribed', 'mention']);
  t.deepEqual(outcome(notify(thread(), 'assign', true)), ['subscribed', 'assign']);
  t.deepEqual(outcome(notify(thread(), 'ci_activity')), ['default', 'ci_activity'], 'a run has no participants');
});

test('a subscriber is notified of everything, for the reason of their participation', (t) => {
  for (const standing of ['author', 'comment', 'manual'] as const) {
    t.deepEqual(outcome(notify(thread('subscribed', standing))), ['subscribed', standing]);
    t.deepEqual(outcome(notify(thread('subscribed', standing), undefined, true)), ['subscribed', standing]);
  }
});

test('an ignored thread is silent until its user comments or is mentioned', (t) => {
  const ignored = thread('ignored', 'author');
  for (const concern of [undefined, 'assign', 'review_requested', 'author', 'subscribed'] as const) {
    t.is(notify(ignored, concern, true), undefined, concern ?? 'watching');
  }
  t.deepEqual(outcome(notify(ignored, 'mention')), ['subscribed', 'mention']);
  t.deepEqual(outcome(notify(ignored, 'team_mention')), ['subscribed', 'team_mention']);
  t.is(actedOn(ignored, 'state_change', 1), ignored);
  t.is(actedOn(ignored, 'comment', 1).subscription, 'subscribed');
});

test('a muted thread notifies as a watcher, until its user comments or is mentioned', (t) => {
  const muted = thread('muted', 'comment');
  t.is(notify(muted), undefined);
  t.is(notify(muted, 'assign'), undefined);
  t.deepEqual(outcome(notify(muted, undefined, true)), ['muted', 'subscribed']);
  t.deepEqual(outcome(notify(muted, 'mention')), ['subscribed', 'mention']);
  t.is(actedOn(muted, 'comment', 1).subscription, 'subscribed');
});

test('the reason is the latest, except that a mention is kept, and an author remains one', (t) => {
  t.is(nextReason('subscribed', 'assign'), 'assign');
  t.is(nextReason('assign', 'subscribed'), 'subscribed');
  t.is(nextReason('mention', 'assign'), 'mention');
  const author = actedOn(thread(), 'author', 1);
  const later = notify(actedOn(author, 'comment', 2)) ?? author;
  t.is(later.notice?.reason, 'author');
  const assigned = notify(later, 'assign') ?? later;
  t.is(assigned.notice?.reason, 'assign');
  t.is(notify(assigned)?.notice?.reason, 'author', 'and the author again');
  const mentioned = notify(assigned, 'mention') ?? assigned;
  t.is(notify(mentioned)?.notice?.reason, 'mention');
});

test('an update makes a thread unread, and never older', (t) => {
  const first = notify(thread(), 'mention') ?? thread();
  const read = {
    ...first,
    notice: first.notice && { ...first.notice, readArrival: first.notice.arrival, updatedAt: 99 },
  };
  const again = notify(read as ThreadRecord, 'mention');
  t.true((again?.notice?.arrival ?? 0) > (again?.notice?.readArrival ?? 0));
  t.is(again?.notice?.updatedAt, 99);
});
