import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { at, fillInbox, forOctavia, iso, keysOf } from './testing/fill-inbox.js';
import { inboxHarness } from './testing/harness.js';

test('a thread is marked as read once; with a validator a repetition is 304', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  await served.publish({ ...forOctavia });
  const path = '/notifications/threads/1';
  const patch = async (headers = {}) => (await served.ask('PATCH', path, { token, headers })).status;
  const known = await served.ask('GET', path, { token });
  const etag = known.headers.get('etag') ?? '';
  t.is((await served.ask('GET', path, { token, headers: { 'If-None-Match': etag } })).status, 304);
  const read = await served.ask('PATCH', path, { token });
  t.deepEqual([read.status, await read.text()], [205, '']);
  t.deepEqual([await patch(), await patch({ 'If-None-Match': etag })], [205, 304]);
  const after = await served.ask('GET', path, { token, headers: { 'If-None-Match': etag } });
  t.is(after.status, 200);
  const thread = (await after.json()) as { last_read_at: string };
  t.like(thread, { unread: false });
  t.true(Math.abs(Date.parse(thread.last_read_at) - Date.now()) < 10_000);
  await served.publish({ ...forOctavia });
  const [again] = await served.threads(token);
  t.like(again, { id: '1', unread: true, last_read_at: thread.last_read_at });
});

test('a thread and its subscription say when to poll again, also with 304', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  await fillInbox(served, 1);
  for (const path of ['/notifications/threads/1', '/notifications/threads/1/subscription']) {
    const first = await served.ask('GET', path, { token });
    t.deepEqual([first.status, /^[1-9]\d*$/.test(first.headers.get('x-poll-interval') ?? '')], [200, true], path);
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    const again = await served.ask('GET', path, { token, headers });
    t.is(again.status, 304, path);
    t.regex(again.headers.get('x-poll-interval') ?? '', /^[1-9]\d*$/, path);
  }
});

test('marking all: up to a time, for one repository, and nothing with read false', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  await fillInbox(served, 4);
  const elsewhere = { repository: { owner: 'octavia', name: 'garden' } };
  await served.publish({ ...forOctavia, ...elsewhere, at: at(1) });
  const put = async (path: string, body?: object) => (await served.ask('PUT', path, { token, body })).status;
  t.is(await put('/notifications', { read: false }), 304);
  t.is((await served.threads(token)).length, 5);
  t.is(await put('/repos/octavia/tools/notifications', { last_read_at: iso(2) }), 205);
  t.deepEqual((await served.threads(token)).map(({ subject }) => subject.title).sort(), [
    'About issues/1',
    'About issues/3',
    'About issues/4',
  ]);
  t.is((await served.threads(token, '', '/repos/OCTAVIA/Tools/notifications')).length, 2);
  t.is(await put('/notifications', { last_read_at: 'now' }), 422);
  t.is(await put('/notifications', { read: true }), 205);
  t.deepEqual(await served.threads(token), []);
  t.is(await put('/notifications'), 205, 'an empty body marks all');
  t.is((await served.ask('PUT', '/notifications', { token, headers: { 'If-None-Match': '"x"' } })).status, 304);
  t.deepEqual(
    (await served.threads(token, 'all=true')).map(({ unread }) => unread),
    [false, false, false, false, false],
  );
});

test('many threads are marked in the background, without later arrivals', async (t) => {
  const served = await inboxHarness(t, { markAtOnce: 100 });
  const token = await served.token('octavia');
  const other = await served.token('robin');
  const concerns = ['octavia', 'robin'].map((login) => ({ login, reason: 'mention' as const }));
  await Promise.all(Array.from({ length: 300 }, (_, n) => served.publish({ key: `issues/${n}`, concerns, at: at(n) })));
  const answer = await served.ask('PUT', '/notifications', { token, body: { last_read_at: iso(250) } });
  t.is(answer.status, 202);
  t.regex(((await answer.json()) as { message: string }).message, /^251 notifications are being marked/);
  await served.publish({ ...forOctavia, key: 'issues/7' });
  const left = await eventually('the rest to be marked', async () => {
    const threads = await served.threads(token, 'per_page=50');
    return threads.length === 50 && threads;
  });
  t.deepEqual(keysOf(left).slice(0, 2), [7, 299]);
  t.is((await served.threads(other)).length, 50, "others' threads are others'");
  await served.engine.restart();
  t.deepEqual(keysOf(await served.threads(token)).length, 50, 'and so it is after a restart');
  t.is((await served.ask('PUT', '/repos/octavia/tools/notifications', { token: other })).status, 202);
});

test('threads of other users are 404 like missing ones', async (t) => {
  const served = await inboxHarness(t);
  await served.token('octavia');
  const other = await served.token('other');
  const hidden = { repository: { owner: 'octavia', name: 'secret', private: true } };
  await served.publish({ ...forOctavia });
  await served.publish({ ...forOctavia, ...hidden });
  const mentioned = { ...hidden, concerns: [{ login: 'other', reason: 'mention' as const }] };
  t.is(
    await served.publish({ ...mentioned, key: 'issues/2' }),
    0,
    'a mention in a private repository notifies readers only',
  );
  t.deepEqual(await served.threads(other, 'all=true'), []);
  for (const [method, path] of [
    ['GET', '/notifications/threads/1'],
    ['PATCH', '/notifications/threads/1'],
    ['GET', '/notifications/threads/1/subscription'],
    ['PUT', '/notifications/threads/1/subscription'],
    ['DELETE', '/notifications/threads/1/subscription'],
    ['GET', '/notifications/threads/77'],
    ['GET', '/notifications/threads/one'],
    ['GET', '/repos/octavia/secret/notifications'],
    ['PUT', '/repos/octavia/secret/notifications'],
    ['PUT', '/repos/octavia/secret/subscription'],
    ['GET', '/repos/octavia/nosuch/notifications'],
  ] as const) {
    const answer = await served.ask(method, path, { token: other });
    t.deepEqual(
      [answer.status, await answer.json()],
      [404, { message: 'Not Found', status: '404' }],
      `${method} ${path}`,
    );
  }
});

test('subscriptions: none, subscribed, ignored, muted, and back by a mention', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  const watched = { ...forOctavia, concerns: [] };
  await served.publish({});
  await served.ask('PUT', '/repos/octavia/tools/subscription', { token });
  await served.publish(watched);
  const path = '/notifications/threads/1/subscription';
  const ask = async (method: string, body?: object) => {
    const answer = await served.ask(method, path, { token, body });
    return [answer.status, answer.status === 204 ? '' : await answer.json()] as const;
  };
  t.is((await ask('GET'))[0], 404, 'watching is no subscription to a thread');
  const [status, subscription] = await ask('PUT', {});
  t.is(status, 200);
  t.like(subscription, {
    ...{ subscribed: true, ignored: false, reason: 'manual' },
    url: `${served.url}${path}`,
    thread_url: `${served.url}/notifications/threads/1`,
  });
  t.deepEqual(await ask('GET'), [200, subscription]);
  await served.publish(watched);
  t.is((await served.threads(token))[0]?.reason, 'manual');
  t.like((await ask('PUT', { ignored: true }))[1], { subscribed: false, ignored: true, reason: null });
  t.is((await ask('PUT', { ignored: 'no' }))[0], 422);
  t.is(await served.publish(watched), 0, 'ignored, though watched');
  t.is(await served.publish(forOctavia), 1);
  t.like((await ask('GET'))[1], { subscribed: true, reason: 'mention' });
  t.deepEqual(await ask('DELETE'), [204, '']);
  t.is((await ask('GET'))[0], 404);
  t.is(await served.publish(watched), 1, 'muted, but watched');
  await served.ask('DELETE', '/repos/octavia/tools/subscription', { token });
  t.is(await served.publish(watched), 0);
  t.is((await served.ask('DELETE', path, { token, headers: { 'If-None-Match': '*' } })).status, 304);
  const known = await served.ask('PUT', path, { token, body: { ignored: true } });
  t.is(known.status, 200);
  const again = await served.ask('GET', path, { token });
  const conditional = { token, headers: { 'If-None-Match': again.headers.get('etag') ?? '' } };
  t.is((await served.ask('GET', path, conditional)).status, 304);
  t.is((await served.ask('PUT', path, { ...conditional, body: { ignored: true } })).status, 304);
});

test('a repository is watched, ignored and unwatched, and listed while watched', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  await served.publish({});
  const path = '/repos/octavia/tools/subscription';
  t.is((await served.ask('GET', path, { token })).status, 404);
  t.like(await (await served.ask('PUT', path, { token, body: { subscribed: true } })).json(), { subscribed: true });
  const watched = await (await served.ask('GET', '/user/subscriptions', { token })).json();
  t.like(watched, [{ full_name: 'octavia/tools' }]);
  t.like(await (await served.ask('PUT', path, { token, body: { ignored: true } })).json(), { ignored: true });
  t.is(await served.publish(forOctavia), 0, 'not even a mention');
  t.is((await served.ask('DELETE', path, { token })).status, 204);
  t.is(await served.publish(forOctavia), 1);
});

test('concurrent activities of a subject share one thread, and none is lost', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  const keys = Array.from({ length: 60 }, (_, index) => `issues/${index % 3}`);
  await Promise.all([
    ...keys.map((key) => served.publish({ ...forOctavia, key })),
    served.ask('PUT', '/notifications', { token }),
  ]);
  const threads = await served.threads(token, 'all=true');
  t.deepEqual(keysOf(threads).sort(), [0, 1, 2]);
  t.is(new Set(threads.map(({ id }) => id)).size, 3);
});
