import { eventually } from '@gantry/test-engine';
import test from 'ava';
import type { Activity } from './service.js';
import { type Bench, bench } from './testing/bench.js';

const forOctavia = { concerns: [{ login: 'octavia', reason: 'mention' }] } as const satisfies Partial<Activity>;
const at = (minute: number) => Date.UTC(2026, 0, 1, 0, minute);
const iso = (minute: number) => new Date(at(minute)).toISOString().replace('.000', '');

/** Threads `issues/1` to `issues/N`, updated in the first minutes of 2026. */
async function fill({ publish }: Bench, count: number, activity: Partial<Activity> = forOctavia): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await publish({ key: `issues/${number}`, at: at(number), ...activity });
  }
}

const keysOf = (threads: readonly { readonly subject: { readonly title: string } }[]) =>
  threads.map(({ subject }) => Number(subject.title.split('/')[1]));

test('a list has the newest threads first, in pages that link to each other', async (t) => {
  const served = await bench(t);
  const token = await served.token('octavia');
  await fill(served, 7);
  t.deepEqual(keysOf(await served.threads(token)), [7, 6, 5, 4, 3, 2, 1]);
  t.deepEqual(keysOf(await served.threads(token, 'per_page=3&page=2')), [4, 3, 2]);
  t.deepEqual(await served.threads(token, 'page=9'), []);
  const links = async (query: string) =>
    (await served.ask('GET', `/notifications?${query}`, { token })).headers.get('link');
  const page = (number: number, rel: string) => `<${served.url}/notifications?per_page=3&page=${number}>; rel="${rel}"`;
  t.is(
    await links('per_page=3&page=2'),
    [page(1, 'prev'), page(3, 'next'), page(3, 'last'), page(1, 'first')].join(', '),
  );
  t.is(await links('per_page=50'), null);
  t.is((await served.threads(token, 'per_page=500')).length, 7, 'a larger page than the largest is the largest');
});

test('the largest pages are 50 for all and 100 for a repository, the usual ones 50 and 30', async (t) => {
  const served = await bench(t);
  const token = await served.token('octavia');
  await fill(served, 105);
  const lengths: number[] = [];
  for (const path of ['/notifications', '/repos/octavia/tools/notifications']) {
    for (const query of ['', 'per_page=1000']) lengths.push((await served.threads(token, query, path)).length);
  }
  t.deepEqual(lengths, [50, 50, 30, 100]);
});

test('a thread has all fields of the specification', async (t) => {
  const served = await bench(t);
  const token = await served.token('octavia');
  await served.publish({ ...forOctavia, at: at(1) });
  const [thread] = await served.threads(token);
  t.like(thread, {
    id: '1',
    reason: 'mention',
    unread: true,
    updated_at: iso(1),
    last_read_at: null,
    url: `${served.url}/notifications/threads/1`,
    subscription_url: `${served.url}/notifications/threads/1/subscription`,
    subject: { title: 'About issues/1', type: 'Issue', url: `${served.url}/notifications/threads/1` },
  });
  const names =
    'archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads events forks git_commits git_refs git_tags git issue_comment issue_events issues keys labels languages merges milestones notifications pulls releases ssh stargazers statuses subscribers subscription tags teams trees hooks';
  for (const name of names.split(' ')) t.is(typeof thread?.repository[`${name}_url`], 'string', name);
  t.like(thread?.repository, {
    name: 'tools',
    full_name: 'octavia/tools',
    private: false,
    fork: false,
    description: null,
  });
  t.like(thread?.repository.owner, { login: 'octavia', type: 'User', site_admin: false, gravatar_id: '' });
  const alone = await served.ask('GET', '/notifications/threads/1', { token });
  t.deepEqual(await alone.json(), thread);
});

test('filters: read ones, participation, and times, exclusive at both ends', async (t) => {
  const served = await bench(t);
  const token = await served.token('octavia');
  await fill(served, 4);
  await served.ask('PUT', '/repos/octavia/tools/subscription', { token, body: {} });
  await served.publish({ key: 'issues/5', at: at(5) });
  await served.ask('PATCH', '/notifications/threads/2', { token });
  t.deepEqual(keysOf(await served.threads(token)), [5, 4, 3, 1]);
  t.deepEqual(keysOf(await served.threads(token, 'all=True')), [5, 4, 3, 2, 1]);
  t.deepEqual(keysOf(await served.threads(token, 'participating=true')), [4, 3, 1]);
  t.deepEqual(keysOf(await served.threads(token, 'participating=true&per_page=1&page=2')), [3]);
  t.deepEqual(keysOf(await served.threads(token, `all=true&since=${iso(2)}&before=${iso(5)}`)), [4, 3]);
  t.deepEqual(keysOf(await served.threads(token, `all=true&since=${iso(5)}`)), []);
  t.deepEqual(keysOf(await served.threads(token, 'since=&before=')), [5, 4, 3, 1]);
});

for (const [query, field] of [
  ['since=yesterday', 'since'],
  ['since=2026-02-30T00:00:00Z', 'since'],
  ['before=1795284218', 'before'],
  ['all=maybe', 'all'],
  ['participating=2', 'participating'],
  ['page=0', 'page'],
  ['per_page=many', 'per_page'],
] as const) {
  test(`${query} is 422 and names the field`, async (t) => {
    const served = await bench(t);
    const token = await served.token('octavia');
    const answer = await served.ask('GET', `/notifications?${query}`, { token });
    t.is(answer.status, 422);
    t.like(await answer.json(), {
      message: 'Validation Failed',
      errors: [{ resource: 'Notification', field, code: 'invalid' }],
    });
  });
}

test('without a token and without the scope nothing is shown or changed', async (t) => {
  const served = await bench(t);
  const feeder = await served.token('feeder', 'ingest');
  const repo = await served.token('octavia', 'repo');
  await served.publish({ ...forOctavia });
  for (const [method, path, unauthorized] of [
    ['GET', '/notifications', 401],
    ['PUT', '/notifications', 401],
    ['GET', '/notifications/threads/1', 401],
    ['PATCH', '/notifications/threads/1', 403],
    ['GET', '/notifications/threads/1/subscription', 401],
    ['PUT', '/notifications/threads/1/subscription', 401],
    ['DELETE', '/notifications/threads/1/subscription', 401],
    ['GET', '/repos/octavia/tools/notifications', 401],
    ['PUT', '/repos/octavia/tools/notifications', 401],
  ] as const) {
    t.is((await served.ask(method, path)).status, unauthorized, `${method} ${path}`);
    t.is((await served.ask(method, path, { token: feeder })).status, 403, `${method} ${path} without the scope`);
  }
  t.is((await served.threads(repo)).length, 1, 'the scope repo will do');
  const answer = await served.ask('POST', '/ingest/notifications', { token: repo, body: {} });
  t.is(answer.status, 403, 'reading is no right to tell');
});

test('what is read changes the tag and not the time; what arrives changes both', async (t) => {
  const served = await bench(t);
  const token = await served.token('octavia');
  await served.publish({ ...forOctavia, at: at(1) });
  const first = await served.ask('GET', '/notifications', { token });
  const etag = first.headers.get('etag') ?? '';
  t.is(first.headers.get('x-poll-interval')?.match(/^\d+$/)?.length, 1);
  const conditional = async (headers: Record<string, string>) => {
    const answer = await served.ask('GET', '/notifications', { token, headers });
    return [answer.status, answer.headers.get('x-ratelimit-used'), (await answer.text()).length > 3];
  };
  t.deepEqual(await conditional({ 'If-None-Match': etag }), [304, '1', false]);
  // As long as the second has not passed, the one before is told, so that a change in it is not missed.
  const later = await eventually('the second to pass', async () => {
    const answer = await served.ask('GET', '/notifications', { token });
    const told = answer.headers.get('last-modified') ?? '';
    const { status } = await served.ask('GET', '/notifications', { token, headers: { 'If-Modified-Since': told } });
    return Date.parse(told) + 1500 < Date.now() && status === 304 && told;
  });
  t.is((await conditional({ 'If-Modified-Since': later }))[0], 304);
  t.is((await conditional({ 'If-Modified-Since': 'yesterday' }))[0], 200);
  await served.ask('PATCH', '/notifications/threads/1', { token });
  t.is((await conditional({ 'If-Modified-Since': later }))[0], 304, 'reading is no news');
  t.is((await conditional({ 'If-None-Match': etag }))[0], 200);
  t.is((await conditional({ 'If-None-Match': etag, 'If-Modified-Since': later }))[0], 200, 'the tag decides');
  await served.publish({ ...forOctavia, key: 'issues/2', at: at(0) });
  t.is((await conditional({ 'If-Modified-Since': later }))[0], 200, 'news, though of an older day');
});

test('a thread is read, once; a client that asked with a validator learns that nothing changed', async (t) => {
  const served = await bench(t);
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

test('marking all: up to a time, for one repository, and nothing with read false', async (t) => {
  const served = await bench(t);
  const token = await served.token('octavia');
  await fill(served, 4);
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

test('many threads are marked in the background, and those that arrive meanwhile are not', async (t) => {
  const served = await bench(t, { markAtOnce: 100 });
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

test("nobody sees or changes another's threads, and all that is not there looks the same", async (t) => {
  const served = await bench(t);
  await served.token('octavia');
  const stranger = await served.token('stranger');
  const hidden = { repository: { owner: 'octavia', name: 'secret', private: true } };
  await served.publish({ ...forOctavia });
  await served.publish({ ...forOctavia, ...hidden });
  const mentioned = { ...hidden, concerns: [{ login: 'stranger', reason: 'mention' as const }] };
  t.is(
    await served.publish({ ...mentioned, key: 'issues/2' }),
    0,
    'a mention in a private repository tells nobody who may not see it',
  );
  t.deepEqual(await served.threads(stranger, 'all=true'), []);
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
    const answer = await served.ask(method, path, { token: stranger });
    t.deepEqual(
      [answer.status, await answer.json()],
      [404, { message: 'Not Found', status: '404' }],
      `${method} ${path}`,
    );
  }
});

test('subscriptions: none, subscribed, ignored, muted, and back by a mention', async (t) => {
  const served = await bench(t);
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

test('a repository is watched, ignored and left, and is in the list of those watched', async (t) => {
  const served = await bench(t);
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
