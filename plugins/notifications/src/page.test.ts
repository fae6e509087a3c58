import { filesOfPage } from '@gantry/hosted-api/testing';
import { eventually, openBrowser } from '@gantry/test-engine';
import test from 'ava';
import { inboxHarness } from './testing/harness.js';

test('the page and its files are served, and may run and ask nothing foreign', async (t) => {
  const served = await inboxHarness(t);
  const top = await served.ask('GET', '/');
  t.deepEqual([top.status, top.headers.get('location')], [302, '/inbox']);
  t.deepEqual(await filesOfPage(t, served, '/inbox'), [
    '/inbox',
    '/inbox/inbox.css',
    '/inbox/inbox.js',
    '/pages/page.css',
    '/pages/page.js',
  ]);
  t.deepEqual(await (await served.ask('GET', '/pages')).json(), [{ title: 'Inbox', path: '/inbox' }]);
});

test('in a browser threads are listed, filtered, read and subscribed to', async (t) => {
  const served = await inboxHarness(t);
  const token = await served.token('octavia');
  const concerns = [{ login: 'octavia', reason: 'mention' as const }];
  for (let number = 1; number <= 3; number++) await served.publish({ key: `issues/${number}`, concerns });
  const title = '<img src=x onerror=document.title="broken">';
  await served.publish({ subject: { key: 'evil', type: 'Issue', title, htmlUrl: 'javascript:alert(1)' }, concerns });
  const page = await openBrowser(t);
  const titles = `[...document.querySelectorAll('#threads .title')].map((each) => each.textContent)`;
  const shown = async (count: number) => {
    await page.until(`document.querySelectorAll('#threads .title').length === ${count}`);
    return page.evaluate<string[]>(titles);
  };
  const enter = (text: string) =>
    page.evaluate(
      `document.getElementById('token').value = '${text}'; document.getElementById('entry').requestSubmit()`,
    );
  const click = (words: string, within = '') =>
    page.evaluate(`[...document.querySelectorAll('${within} button')].find(e => e.textContent === '${words}').click()`);
  await page.open(`${served.url}/`);
  await page.until(`document.getElementById('entry')?.hidden === false`);
  await enter('wrong');
  await page.until(`document.getElementById('message').textContent !== ''`);
  await enter(token);
  t.deepEqual(await shown(4), [title, 'About issues/3', 'About issues/2', 'About issues/1']);
  t.is(await page.evaluate(`document.querySelectorAll('#threads img, #threads a').length`), 0, 'titles are texts');
  t.is(await page.evaluate(`document.getElementById('user').textContent`), 'octavia');
  t.is(await page.evaluate(`getComputedStyle(document.getElementById('entry')).display`), 'none');
  await click('Mark as read', '[data-id="1"]');
  t.deepEqual(await shown(3), [title, 'About issues/3', 'About issues/2']);
  await click('Ignore', '[data-id="2"]');
  await eventually('the thread to be ignored', async () => {
    const answer = await served.ask('GET', '/notifications/threads/2/subscription', { token });
    return ((await answer.json()) as { ignored: boolean }).ignored;
  });
  await page.evaluate(`document.getElementById('all').click()`);
  await shown(4);
  await page.evaluate(`document.getElementById('all').click()`);
  await shown(3);
  await click('Mark all as read');
  await shown(0);
  t.deepEqual(await served.threads(token), []);
  await click('Sign out');
  t.is(await page.evaluate('sessionStorage.length'), 0);
});
