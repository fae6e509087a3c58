import { Octokit } from '@octokit/rest';
import test from 'ava';
import { Notifications } from './service.js';
import { inboxHarness } from './testing/harness.js';

test('octokit lists, reads, marks, subscribes and watches', async (t) => {
  const served = await inboxHarness(t);
  const auth = await served.token('octavia', 'notifications', 'repo');
  const { activity, paginate, request } = new Octokit({ auth, baseUrl: served.url });
  const concerns = [{ login: 'octavia', reason: 'mention' as const }];
  for (let number = 1; number <= 120; number++) await served.publish({ key: `issues/${number}`, concerns });
  const listed = await activity.listNotificationsForAuthenticatedUser({ participating: true, per_page: 2 });
  t.deepEqual([listed.status, listed.data.length], [200, 2]);
  t.is((await paginate(activity.listNotificationsForAuthenticatedUser, { all: true })).length, 120);
  const tools = { owner: 'octavia', repo: 'tools' };
  t.is((await paginate(activity.listRepoNotificationsForAuthenticatedUser, { ...tools, per_page: 100 })).length, 120);
  const unchanged = request('GET /notifications', {
    headers: { 'if-none-match': listed.headers.etag },
    participating: true,
    per_page: 2,
  });
  t.like(await t.throwsAsync(unchanged), { status: 304 });
  const thread_id = 7;
  t.is((await activity.getThread({ thread_id })).data.id, '7');
  t.is((await activity.markThreadAsRead({ thread_id })).status as number, 205);
  t.false((await activity.getThread({ thread_id })).data.unread);
  t.true((await activity.setThreadSubscription({ thread_id, ignored: true })).data.ignored);
  t.true((await activity.getThreadSubscriptionForAuthenticatedUser({ thread_id })).data.ignored);
  t.is((await activity.deleteThreadSubscription({ thread_id })).status, 204);
  t.like(await t.throwsAsync(activity.getThread({ thread_id: 999 })), { status: 404 });
  t.is(
    (await activity.markRepoNotificationsAsRead({ ...tools, last_read_at: '2020-01-01T00:00:00Z' })).status as number,
    205,
  );
  t.is((await activity.markNotificationsAsRead({ read: true })).status as number, 205);
  t.is((await activity.listNotificationsForAuthenticatedUser()).data.length, 0);
  t.true((await activity.setRepoSubscription({ ...tools, subscribed: true })).data.subscribed);
  t.is((await activity.listWatchedReposForAuthenticatedUser()).data[0]?.full_name, 'octavia/tools');
});

test('the interval between polls grows with the load', async (t) => {
  const served = await inboxHarness(t, {}, { comfortableRequestsPerSecond: 0.2, pollIntervalSeconds: 10 });
  const token = await served.token('octavia');
  const interval = async () =>
    Number((await served.ask('GET', '/notifications', { token })).headers.get('x-poll-interval'));
  t.true((await interval()) >= 10);
  for (let count = 0; count < 30; count++) await served.ask('GET', '/rate_limit', { token });
  t.true((await interval()) >= 30);
});

test('another plugin reads webhooks with a source of its own', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  const remove = served.engine.kernel.service(Notifications).addSource({
    events: ['deployment'],
    read: ({ hook, payload }) => [
      {
        kind: 'activity',
        repository: { owner: 'octavia', name: 'tools' },
        subject: { key: `deployments/${payload.id}`, type: 'Deployment', title: `Deployed by ${hook}` },
        concerns: [{ login: 'octavia', reason: 'ci_activity' }],
      },
    ],
  });
  t.deepEqual(await (await served.deliver('deployment', { id: 1 })).json(), { threads: 1, repeated: false });
  t.like(await served.threads(token), [{ subject: { title: 'Deployed by forge', type: 'Deployment' } }]);
  remove();
  t.deepEqual(await (await served.deliver('deployment', { id: 2 })).json(), { threads: 0, repeated: false });
});

test('a program publishes an activity, and a repetition has no effect', async (t) => {
  const served = await inboxHarness(t);
  const octavia = await served.token('octavia');
  const token = await served.token('feeder', 'ingest');
  const activity = {
    repository: 'octavia/tools',
    subject: { key: 'builds/7', type: 'Build', title: 'Build 7 failed', html_url: 'https://ci.example/7' },
    recipients: [{ login: 'octavia', reason: 'ci_activity' }],
    updated_at: '2026-01-01T00:00:00Z',
    idempotency_key: 'build-7',
  };
  const post = async (body: unknown) => {
    const answer = await served.ask('POST', '/ingest/notifications', { token, body });
    return [answer.status, await answer.json()] as const;
  };
  t.deepEqual(await post(activity), [201, { threads: 1, repeated: false }]);
  t.deepEqual(await post(activity), [200, { threads: 0, repeated: true }]);
  t.like((await served.threads(octavia))[0], { reason: 'ci_activity', updated_at: '2026-01-01T00:00:00Z' });
  for (const [change, field] of [
    [{ repository: 'octavia' }, 'repository'],
    [{ repository: 'octavia/to ols' }, 'name'],
    [{ subject: { key: 'x', type: 'Build' } }, 'subject.title'],
    [{ subject: { ...activity.subject, key: 'x'.repeat(201) } }, 'key'],
    [{ recipients: 'octavia' }, 'recipients'],
    [{ recipients: [{ login: 'octavia', reason: 'bored' }] }, 'recipients.reason'],
    [{ updated_at: 'today' }, 'updated_at'],
  ] as const) {
    const [status, answer] = await post({ ...activity, idempotency_key: null, ...change });
    t.is(status, 422, field);
    t.like(answer, { errors: [{ field }] });
  }
});
