import test from 'ava';
import { actedOn, notified } from './next-thread.js';
import { nextReason, type Reason } from './reasons.js';
import type { Subscription, ThreadRecord } from './store/records.js';

const subject = { key: 'issues/1', title: 'One', type: 'Issue' };
let arrivals = 0;

const thread = (subscription: Subscription = 'default', standing?: Reason): ThreadRecord => ({
  ...{ id: 1, accountId: 1, repositoryId: 1, subject, subscription },
  ...(standing !== undefined && { standing }),
});

const tell = (before: ThreadRecord, concern?: Reason, watches = false): ThreadRecord | undefined =>
  notified(
    before,
    { watches, ...(concern !== undefined && { concern }) },
    { subject, at: 5, now: 10, watcherReason: 'subscribed', arrival: () => ++arrivals },
  );

const outcome = (after: ThreadRecord | undefined) => after && [after.subscription, after.notice?.reason];

test('without a subscription a user is told what concerns them, and everything when watching', (t) => {
  t.is(tell(thread()), undefined);
  t.deepEqual(outcome(tell(thread(), undefined, true)), ['default', 'subscribed']);
  t.deepEqual(outcome(tell(thread(), 'mention')), ['subscribed', 'mention']);
  t.deepEqual(outcome(tell(thread(), 'assign', true)), ['subscribed', 'assign']);
  t.deepEqual(outcome(tell(thread(), 'ci_activity')), ['default', 'ci_activity'], 'nobody takes part in a run');
});

test('who is subscribed is told everything, for the reason of taking part', (t) => {
  for (const standing of ['author', 'comment', 'manual'] as const) {
    t.deepEqual(outcome(tell(thread('subscribed', standing))), ['subscribed', standing]);
    t.deepEqual(outcome(tell(thread('subscribed', standing), undefined, true)), ['subscribed', standing]);
  }
});

test('an ignored thread is silent until its user comments or is mentioned', (t) => {
  const ignored = thread('ignored', 'author');
  for (const concern of [undefined, 'assign', 'review_requested', 'author', 'subscribed'] as const) {
    t.is(tell(ignored, concern, true), undefined, concern ?? 'watching');
  }
  t.deepEqual(outcome(tell(ignored, 'mention')), ['subscribed', 'mention']);
  t.deepEqual(outcome(tell(ignored, 'team_mention')), ['subscribed', 'team_mention']);
  t.is(actedOn(ignored, 'state_change', 1), ignored);
  t.is(actedOn(ignored, 'comment', 1).subscription, 'subscribed');
});

test('a muted thread tells what watchers get, until its user comments or is mentioned', (t) => {
  const muted = thread('muted', 'comment');
  t.is(tell(muted), undefined);
  t.is(tell(muted, 'assign'), undefined);
  t.deepEqual(outcome(tell(muted, undefined, true)), ['muted', 'subscribed']);
  t.deepEqual(outcome(tell(muted, 'mention')), ['subscribed', 'mention']);
  t.is(actedOn(muted, 'comment', 1).subscription, 'subscribed');
});

test('the reason is the newest, but a mention stays; an author stays the author until then', (t) => {
  t.is(nextReason('subscribed', 'assign'), 'assign');
  t.is(nextReason('assign', 'subscribed'), 'subscribed');
  t.is(nextReason('mention', 'assign'), 'mention');
  const author = actedOn(thread(), 'author', 1);
  const later = tell(actedOn(author, 'comment', 2)) ?? author;
  t.is(later.notice?.reason, 'author');
  const assigned = tell(later, 'assign') ?? later;
  t.is(assigned.notice?.reason, 'assign');
  t.is(tell(assigned)?.notice?.reason, 'author', 'and the author again');
  const mentioned = tell(assigned, 'mention') ?? assigned;
  t.is(tell(mentioned)?.notice?.reason, 'mention');
});

test('an update makes a thread unread, and never older', (t) => {
  const first = tell(thread(), 'mention') ?? thread();
  const read = {
    ...first,
    notice: first.notice && { ...first.notice, readArrival: first.notice.arrival, updatedAt: 99 },
  };
  const again = tell(read as ThreadRecord, 'mention');
  t.true((again?.notice?.arrival ?? 0) > (again?.notice?.readArrival ?? 0));
  t.is(again?.notice?.updatedAt, 99);
});
