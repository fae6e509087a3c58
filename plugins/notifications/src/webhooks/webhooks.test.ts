import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { mentionsIn } from '../payloads/mentions-in.js';
import { type InboxHarness, inboxHarness, secret, type ThreadJson } from '../testing/harness.js';
import { comment, issue, payloads, pull } from '../testing/payloads.js';

const { by, person, repository } = payloads;

/** What a user's inbox says: `reason type title`, newest first. */
const inbox = async ({ threads }: InboxHarness, token: string) =>
  (await threads(token, 'all=true')).map(
    ({ reason, subject }: ThreadJson) => `${reason} ${subject.type} ${subject.title}`,
  );

async function people(served: InboxHarness, ...logins: readonly string[]) {
  const tokens: string[] = [];
  for (const login of logins) tokens.push(await served.token(login));
  return tokens as [string, string, string];
}

const notified = async (response: Promise<Response>) =>
  ((await (await response).json()) as { threads: number }).threads;

test('an issue notifies its author, mentioned users, assignees and watchers', async (t) => {
  const served = await inboxHarness(t);
  const [ada, bo, cy] = await people(served, 'ada', 'bo', 'cy');
  const opened = by('ada', 'opened', { issue: issue(1, 'ada', { body: 'Ask @bo, not `@cy`', assignees: [] }) });
  t.is(await notified(served.deliver('issues', opened)), 1);
  t.deepEqual(await inbox(served, ada), [], 'actors are not notified');
  t.deepEqual(await inbox(served, bo), ['mention Issue issues 1']);
  await served.ask('PUT', '/repos/octavia/tools/subscription', { token: cy });
  const commented = by('bo', 'created', { issue: issue(1, 'ada'), comment: comment(1, 'I see') });
  t.is(await notified(served.deliver('issue_comment', commented)), 2);
  t.deepEqual(await inbox(served, ada), ['author Issue issues 1']);
  t.deepEqual(await inbox(served, cy), ['subscribed Issue issues 1']);
  t.is(
    await notified(served.deliver('issues', by('ada', 'assigned', { issue: issue(1, 'ada'), assignee: person('cy') }))),
    1,
  );
  t.deepEqual(await inbox(served, cy), ['assign Issue issues 1']);
  await served.deliver('issue_comment', by('cy', 'created', { issue: issue(1, 'ada'), comment: comment(2, '@Ada?') }));
  t.deepEqual(await inbox(served, ada), ['mention Issue issues 1']);
  await served.deliver('issues', by('bo', 'closed', { issue: issue(1, 'ada') }));
  t.deepEqual(await inbox(served, ada), ['mention Issue issues 1'], 'once mentioned, always mentioned');
  t.deepEqual(await inbox(served, bo), ['mention Issue issues 1']);
  t.deepEqual(await inbox(served, cy), ['comment Issue issues 1']);
  const [thread] = await served.threads(ada);
  t.like(thread, {
    subject: { url: 'https://forge.example/api/issues/1', html_url: 'https://forge.example/issues/1' },
  });
  t.like(thread?.repository, { id: 500, html_url: repository.html_url, description: 'Hammers', url: repository.url });
  t.is(await notified(served.deliver('issues', by('bo', 'labeled', { issue: issue(1, 'ada') }))), 0);
});

test('pull requests: reviewers, teams, reviews and merges', async (t) => {
  const served = await inboxHarness(t);
  const [ada, bo, cy] = await people(served, 'ada', 'bo', 'cy');
  const organization = person('guild');
  const joined = {
    action: 'added',
    member: person('cy'),
    team: { slug: 'smiths' },
    organization,
    sender: person('ada'),
  };
  await served.deliver('membership', joined);
  await served.deliver(
    'pull_request',
    by('ada', 'opened', { pull_request: pull(2, 'ada', { requested_reviewers: [person('bo')] }) }),
  );
  t.deepEqual(await inbox(served, bo), ['review_requested PullRequest pull 2']);
  const asked = by('ada', 'review_requested', {
    pull_request: pull(2, 'ada'),
    requested_team: { slug: 'smiths' },
    organization,
  });
  await served.deliver('pull_request', asked);
  t.deepEqual(await inbox(served, cy), ['review_requested PullRequest pull 2']);
  const review = { ...comment(3, 'What says @guild/smiths?'), submitted_at: new Date().toISOString() };
  await served.deliver('pull_request_review', by('bo', 'submitted', { pull_request: pull(2, 'ada'), review }));
  t.deepEqual(await inbox(served, ada), ['author PullRequest pull 2']);
  t.deepEqual(await inbox(served, cy), ['team_mention PullRequest pull 2']);
  await served.deliver(
    'pull_request_review_comment',
    by('cy', 'created', { pull_request: pull(2, 'ada'), comment: comment(4, 'x') }),
  );
  await served.deliver('pull_request', by('cy', 'closed', { pull_request: pull(2, 'ada', { merged: true }) }));
  t.deepEqual(await inbox(served, bo), ['comment PullRequest pull 2']);
  const onPull = by('bo', 'created', { issue: issue(2, 'ada', { pull_request: {} }), comment: comment(5, 'done') });
  await served.deliver('issue_comment', onPull);
  t.deepEqual(await inbox(served, cy), ['state_change PullRequest issues 2'], 'one thread under both names');
});

test('releases, discussions, commits, runs, alerts and invitations', async (t) => {
  const served = await inboxHarness(t);
  const [ada, octavia] = await people(served, 'ada', 'octavia');
  await served.deliver('discussion', by('octavia', 'created', { discussion: issue(3, 'octavia', { body: '@ada' }) }));
  await served.ask('PUT', '/repos/octavia/tools/subscription', { token: ada });
  await served.deliver(
    'release',
    by('octavia', 'published', { release: { id: 1, tag_name: 'v1', name: 'One', body: '' } }),
  );
  await served.deliver(
    'discussion_comment',
    by('octavia', 'created', { discussion: issue(3, 'octavia'), comment: comment(6, 'so') }),
  );
  await served.deliver(
    'commit_comment',
    by('octavia', 'created', { comment: { ...comment(7, 'hm'), commit_id: 'abcdef0123' } }),
  );
  const run = { id: 8, name: 'CI', head_branch: 'main', conclusion: 'failure', actor: person('ada') };
  await served.deliver('workflow_run', by('ada', 'completed', { workflow_run: run }));
  const alert = { number: 4, security_advisory: { summary: 'Overflow' } };
  await served.deliver('dependabot_alert', by('forge', 'created', { alert }));
  await served.deliver('member', by('octavia', 'added', { member: person('ada') }));
  t.deepEqual(await inbox(served, ada), [
    'invitation RepositoryInvitation Invitation to join octavia/tools',
    'security_alert RepositoryVulnerabilityAlert Overflow',
    'ci_activity CheckSuite CI run failure for main',
    'subscribed Commit Commit abcdef0',
    'mention Discussion issues 3',
    'subscribed Release One',
  ]);
  t.deepEqual(await inbox(served, octavia), ['security_alert RepositoryVulnerabilityAlert Overflow']);
  t.is((await served.threads(ada, 'participating=true')).length, 1);
  t.is(
    await notified(served.deliver('star', by('ada', 'created', {}))),
    0,
    'unknown events are accepted without effect',
  );
  t.is(await notified(served.deliver('ping', { zen: 'Keep it flat.' })), 0);
});

test('members of a private repository are notified until they leave it, also after a rename', async (t) => {
  const served = await inboxHarness(t);
  const [ada] = await people(served, 'ada');
  const hidden = { ...repository, id: 501, name: 'secret', private: true };
  const mention = (number: number, name = 'secret') => ({
    ...by('octavia', 'opened', { issue: issue(number, 'octavia', { body: '@ada' }) }),
    repository: { ...hidden, name },
  });
  t.is(await notified(served.deliver('issues', mention(1))), 0);
  await served.deliver('member', { ...by('octavia', 'added', { member: person('ada') }), repository: hidden });
  t.is(await notified(served.deliver('issues', mention(2))), 1);
  t.is(await notified(served.deliver('issues', mention(3, 'mystery'))), 1);
  const names = (await served.threads(ada)).map(({ repository: { full_name } }) => full_name);
  t.deepEqual([...new Set(names)], ['octavia/mystery']);
  t.is((await served.ask('GET', '/repos/octavia/secret/notifications', { token: ada })).status, 404);
  await served.deliver('member', { ...by('octavia', 'removed', { member: person('ada') }), repository: hidden });
  t.is(await notified(served.deliver('issues', mention(4))), 0);
});

test('a repeated delivery is ignored whatever its number, and a forged one refused', async (t) => {
  const served = await inboxHarness(t);
  const [bo] = await people(served, 'bo');
  const payload = by('ada', 'opened', {
    issue: issue(1, 'ada', { body: '@bo', updated_at: new Date().toISOString() }),
  });
  const first = await served.deliver('issues', payload, { 'X-Host-Delivery': 'one' });
  t.deepEqual([first.status, await first.json()], [202, { threads: 1, repeated: false }]);
  await served.ask('PUT', '/notifications', { token: bo });
  await served.engine.restart();
  const second = await served.deliver('issues', payload, { 'X-Host-Delivery': 'two' });
  t.deepEqual(await second.json(), { threads: 0, repeated: true }, 'also after a restart');
  t.deepEqual(await served.threads(bo), []);
  const body = JSON.stringify(payload);
  const sign = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  const send = async (path: string, headers: Record<string, string>) =>
    (await served.ask('POST', path, { body, headers: { 'X-GitHub-Event': 'issues', ...headers } })).status;
  t.is(await send('/webhooks/forge', {}), 401);
  t.is(await send('/webhooks/forge', { 'X-Hub-Signature-256': sign('another secret') }), 401);
  t.is(await send('/webhooks/forge', { 'X-Hub-Signature-256': sign(secret).slice(0, -1) }), 401);
  t.is(await send('/webhooks/unknown', { 'X-Hub-Signature-256': sign(secret) }), 401);
  t.is(await send('/webhooks/forge', { 'X-Hub-Signature-256': sign(secret) }), 202);
  const old = by('ada', 'opened', { issue: issue(5, 'ada', { body: '@bo', updated_at: '2020-01-01T00:00:00Z' }) });
  t.is(
    (await served.deliver('issues', old)).status,
    422,
    'an expired delivery could not be recognized as a repetition',
  );
  t.is((await served.deliver('', payload)).status, 400);
});

test('a delivery may be form-encoded, and hostile payloads are harmless', async (t) => {
  const served = await inboxHarness(t);
  const [bo] = await people(served, 'bo');
  const payload = by('ada', 'opened', { issue: issue(1, 'ada', { body: '@bo' }) });
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Gitea-Event': 'issues',
    'X-Hub-Signature-256': signature,
  };
  t.is(await notified(served.ask('POST', '/webhooks/forge', { body, headers })), 1);
  const odd = { ...issue(2, 'ada', { body: '@bo' }), title: 'a\u0000b', html_url: 'javascript:alert(1)', url: 7 };
  t.is(await notified(served.deliver('issues', by('ada', 'opened', { issue: odd }))), 1);
  t.like((await served.threads(bo))[0], { subject: { title: 'a b', html_url: undefined } });
  for (const wrong of [{ issue: null }, { issue: [] }, { issue: { number: 'x', user: 7, assignees: { length: 9 } } }]) {
    const answer = await served.deliver('issues', by('ada', 'opened', wrong));
    t.is(answer.status, 202, JSON.stringify(wrong));
  }
  t.is(
    (await served.deliver('issues', { ...payload, repository: { name: '../x', owner: person('a b') } })).status,
    422,
  );
});

test('a reload adds a webhook, and refuses an unreadable secret', async (t) => {
  const served = await inboxHarness(t);
  const { kernel, directory } = served.engine;
  const secretFile = join(directory, 'second');
  await writeFile(secretFile, 'another secret');
  const webhooks = { second: { secretFile } };
  const plugins = { ...kernel.config.plugins, notifications: { webhooks } };
  t.deepEqual((await kernel.reload({ ...kernel.config, plugins })).applied, ['notifications']);
  const body = JSON.stringify(by('ada', 'created', {}));
  const signature = `sha256=${createHmac('sha256', 'another secret').update(body).digest('hex')}`;
  const headers = { 'X-Host-Event': 'star', 'X-Hub-Signature-256': signature };
  t.is((await served.ask('POST', '/webhooks/second', { body, headers })).status, 202);
  t.is((await served.deliver('star', by('ada', 'created', {}))).status, 401, 'the first is gone');
  const broken = { ...plugins, notifications: { webhooks: { second: { secretFile: `${secretFile}.absent` } } } };
  await kernel.reload({ ...kernel.config, plugins: broken }).catch(() => undefined);
  t.is((await served.ask('POST', '/webhooks/second', { body, headers })).status, 202, 'what worked goes on');
});

test('mentions are found outside of code and addresses', (t) => {
  t.deepEqual(mentionsIn('@ada, (@bo-b) and @guild/smiths. Write to me@example.org, `@code`\n```\n@block\n``` @cy.'), {
    logins: ['ada', 'bo-b', 'cy'],
    teams: ['guild/smiths'],
  });
  t.deepEqual(mentionsIn(undefined), { logins: [], teams: [] });
  const began = performance.now();
  mentionsIn('`'.repeat(100_000));
  mentionsIn(`@${'a'.repeat(100_000)}`);
  mentionsIn('@a.'.repeat(40_000));
  t.true(performance.now() - began < 2000, 'whatever the text');
});
