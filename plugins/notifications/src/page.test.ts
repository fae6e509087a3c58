import { filesOfPage } from '@gantry/hosted-api/testing';
import { eventually } from '@gantry/test-engine';
import { openBrowser } from '@gantry/test-engine/browser';
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
    '/pages/base.css',
    '/pages/controls.css',
    '/pages/frame.css',
    '/pages/icon.svg',
    '/pages/page.css',
    '/pages/page.js',
    '/pages/theme.js',
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
  const titles = page.locator('#threads .title');
  const shown = async (count: number) => {
    await eventually(`${count} threads to be shown`, async () => (await titles.count()) === count);
    return titles.allTextContents();
  };
  const enter = async (text: string) => {
    await page.getByLabel('Token').fill(text);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const click = (words: string, within = 'body') =>
    page.locator(within).getByRole('button', { name: words, exact: true }).click();
  await page.goto(`${served.url}/`);
  await enter('wrong');
  await page.locator('#message').filter({ hasText: 'This token is not valid.' }).waitFor();
  await enter(token);
  t.deepEqual(await shown(4), [title, 'About issues/3', 'About issues/2', 'About issues/1']);
  t.is(await page.locator('#threads img, #threads a').count(), 0, 'titles are texts');
  t.is(await page.locator('#user').textContent(), 'octavia');
  t.false(await page.locator('#entry').isVisible());
  await click('Mark as read', '[data-id="1"]');
  t.deepEqual(await shown(3), [title, 'About issues/3', 'About issues/2']);
  await click('Ignore', '[data-id="2"]');
  await eventually('the thread to be ignored', async () => {
    const answer = await served.ask('GET', '/notifications/threads/2/subscription', { token });
    return ((await answer.json()) as { ignored: boolean }).ignored;
  });
  await page.locator('#all').click();
  await shown(4);
  await page.locator('#all').click();
  await shown(3);
  await click('Mark all as read');
  await shown(0);
  t.deepEqual(await served.threads(token), []);
  await click('Sign out');
  t.is(await page.evaluate('sessionStorage.length'), 0);
});
