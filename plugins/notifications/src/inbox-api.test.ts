import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { at, fillInbox, forOctavia, iso, keysOf } from './testing/fill-inbox.js';
import { inboxHarness } from './testing/harness.js';

test('a list has the newest threads first, in pages that link to each other', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  await fillInbox(served, 7);
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
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  await fillInbox(served, 105);
  const lengths: number[] = [];
  for (const path of ['/notifications', '/repos/octavia/tools/notifications']) {
    for (const query of ['', 'per_page=1000']) lengths.push((await served.threads(token, query, path)).length);
  }
  t.deepEqual(lengths, [50, 50, 30, 100]);
});

test('a thread has all fields of the specification', async (t) => {
  const served = await inboxHarness(t);
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
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  await fillInbox(served, 4);
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
    const served = await inboxHarness(t);
    const token = await served.token('octavia');
    const answer = await served.ask('GET', `/notifications?${query}`, { token });
    t.is(answer.status, 422);
    t.like(await answer.json(), {
      message: 'Validation Failed',
      errors: [{ resource: 'Notification', field, code: 'invalid' }],
    });
  });
}

test('requests without a token or without the scope are refused', async (t) => {
  const served = await inboxHarness(t);
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
  t.is(answer.status, 403, 'the scope for reading does not allow to ingest');
});

test('reading changes the entity tag only; an arrival changes it and Last-Modified', async (t) => {
  const served = await inboxHarness(t);
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
  // Until the second has passed, the previous one is sent, so that a change within it is not missed.
  const later = await eventually('the second to pass', async () => {
    const answer = await served.ask('GET', '/notifications', { token });
    const modified = answer.headers.get('last-modified') ?? '';
    const { status } = await served.ask('GET', '/notifications', { token, headers: { 'If-Modified-Since': modified } });
    return Date.parse(modified) + 1500 < Date.now() && status === 304 && modified;
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
