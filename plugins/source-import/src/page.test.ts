import { SourceError } from '@gantry/core/contracts';
import { filesOfPage } from '@gantry/hosted-api/testing';
import { eventually } from '@gantry/test-engine';
import { openBrowser } from '@gantry/test-engine/browser';
import test from 'ava';
import { importHarness, importPath } from './testing/harness.js';

test('the page and its files are served with a policy against foreign content', async (t) => {
  const served = await importHarness(t);
  t.deepEqual(await filesOfPage(t, served, '/imports'), [
    '/imports',
    '/imports/imports.css',
    '/imports/imports.js',
    '/imports/view.js',
    '/pages/base.css',
    '/pages/controls.css',
    '/pages/frame.css',
    '/pages/icon.svg',
    '/pages/page.css',
    '/pages/page.js',
    '/pages/theme.js',
  ]);
  const pages = (await (await served.ask('GET', '/pages')).json()) as readonly { title: string }[];
  t.deepEqual(pages.map(({ title }) => title).sort(), ['Imports', 'Inbox']);
});

test('in a browser imports are started, followed and updated, and their authors mapped', async (t) => {
  const served = await importHarness(t);
  const { fake } = served;
  const token = await served.token('octavia');
  fake.detection = { status: 'needs-auth', refused: false };
  fake.largeFiles = [{ refName: 'refs/heads/main', path: '<img src=x>', oid: 'a'.repeat(40), size: 2 ** 30 }];
  const page = await openBrowser(t);
  const article = page.locator('article[data-name="octavia/tools"]');
  const status = (wanted: string) =>
    page.locator(`article[data-name="octavia/tools"][data-status="${wanted}"]`).waitFor();
  const click = (words: string) => page.getByRole('button', { name: words, exact: true }).first().click();
  const fill = async (fields: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(fields)) await page.locator(`#start [name="${name}"]`).fill(value);
  };
  await page.goto(`${served.url}/imports`);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#repositories option').waitFor({ state: 'attached' });
  await fill({ repository: 'octavia/tools', vcs_url: 'http://127.0.0.1/x' });
  await click('Import');
  await page.locator('#message').filter({ hasText: 'no address of the Internet' }).waitFor();
  await fill({ vcs_url: 'https://source.example/x' });
  await click('Import');
  await status('detection_needs_auth');
  fake.detection = {
    status: 'found-multiple',
    vcs: 'tfvc',
    choices: [{ project: 'One', humanName: 'Project One' }],
  };
  await article.locator('form input').nth(0).fill('octavia');
  await article.locator('form input').nth(1).fill('hunter2');
  await click('Try again');
  await status('detection_found_multiple');
  fake.detection = { status: 'found', vcs: 'tfvc' };
  const open = fake.hold('convert');
  await click('Project One');
  await status('importing');
  await article.locator('progress[value="10"]').waitFor();
  t.regex((await article.locator('.status').textContent()) ?? '', /Importing\.\.\. 40 commits/);
  t.like(fake.sources.at(-1), { username: 'octavia', password: 'hunter2', project: 'One' });
  open();
  await status('complete');
  t.regex((await article.locator('code').first().textContent()) ?? '', /^git clone http.*octavia\/tools\.git$/);
  await article.locator('details summary').first().click();
  await article.locator('tr').nth(1).waitFor();
  await article.locator('tr input').nth(0).fill('Hubot');
  await article.locator('tr input').nth(1).fill('hubot@example.com');
  await click('Save');
  await eventually('the rewrite', () => fake.rewrites.at(-1)?.authors?.some(({ name }) => name === 'Hubot'));
  await status('complete');
  await article.locator('details summary').nth(1).click();
  await article.locator('li').first().waitFor();
  t.is(await page.locator('img:not(.brand img)').count(), 0, 'names are texts');
  await click('Remove them');
  await eventually('the choice', () => fake.rewrites.at(-1)?.largeFiles === 'remove');
  await status('complete');
  fake.failures.set('detect', new SourceError('tool-failed', 'git failed', 'detecting'));
  await click('Restart');
  await status('error');
  t.regex((await article.locator('.status').textContent()) ?? '', /git failed/);
  await click('Cancel');
  await article.waitFor({ state: 'detached' });
  t.is((await served.json('GET', importPath, { token }))[0], 404);
  await click('Sign out');
  t.is(await page.evaluate('sessionStorage.length'), 0);
});
