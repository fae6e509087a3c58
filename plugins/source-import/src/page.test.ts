import { SourceError } from '@gantry/core/contracts';
import { filesOfPage } from '@gantry/hosted-api/testing';
import { eventually, openBrowser } from '@gantry/test-engine';
import test from 'ava';
import { importHarness, importPath } from './testing/harness.js';

test('the page and its files are served with a policy against foreign content', async (t) => {
  const served = await importHarness(t);
  t.deepEqual(await filesOfPage(t, served, '/imports'), [
    '/imports',
    '/imports/imports.css',
    '/imports/imports.js',
    '/imports/view.js',
    '/pages/page.css',
    '/pages/page.js',
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
  const article = `document.querySelector('article[data-name="octavia/tools"]')`;
  const status = (wanted: string) => page.until(`${article}?.dataset.status === '${wanted}'`);
  const click = (words: string) =>
    page.evaluate(`[...document.querySelectorAll('button')].find(e => e.textContent === '${words}').click()`);
  const fill = (fields: Readonly<Record<string, string>>) =>
    page.evaluate(
      `for (const [name, value] of Object.entries(${JSON.stringify(fields)})) document.getElementById('start').elements[name].value = value`,
    );
  await page.open(`${served.url}/imports`);
  await page.until(`document.getElementById('entry')?.hidden === false`);
  await page.evaluate(
    `document.getElementById('token').value = '${token}'; document.getElementById('entry').requestSubmit()`,
  );
  await page.until(`document.querySelectorAll('#repositories option').length === 1`);
  await fill({ repository: 'octavia/tools', vcs_url: 'http://127.0.0.1/x' });
  await click('Import');
  await page.until(`/no address of the Internet/.test(document.getElementById('message').textContent)`);
  await fill({ vcs_url: 'https://source.example/x' });
  await click('Import');
  await status('detection_needs_auth');
  fake.detection = {
    status: 'found-multiple',
    vcs: 'tfvc',
    choices: [{ project: 'One', humanName: 'Project One' }],
  };
  await page.evaluate(
    `(() => { const [user, password] = ${article}.querySelectorAll('form input'); user.value = 'octavia'; password.value = 'hunter2'; })()`,
  );
  await click('Try again');
  await status('detection_found_multiple');
  fake.detection = { status: 'found', vcs: 'tfvc' };
  const open = fake.hold('convert');
  await click('Project One');
  await status('importing');
  await page.until(`${article}.querySelector('progress').value === 10`);
  t.regex(await page.evaluate(`${article}.querySelector('.status').textContent`), /Importing\.\.\. 40 commits/);
  t.like(fake.sources.at(-1), { username: 'octavia', password: 'hunter2', project: 'One' });
  open();
  await status('complete');
  t.regex(await page.evaluate(`${article}.querySelector('code').textContent`), /^git clone http.*octavia\/tools\.git$/);
  await page.evaluate(`${article}.querySelector('details').open = true`);
  await page.until(`${article}.querySelectorAll('tr').length === 2`);
  await page.evaluate(`(() => {
      const [name, email] = ${article}.querySelectorAll('tr input');
      Object.assign(name, { value: 'Hubot' });
      Object.assign(email, { value: 'hubot@example.com' });
    })()`);
  await click('Save');
  await eventually('the rewrite', () => fake.rewrites.at(-1)?.authors?.some(({ name }) => name === 'Hubot'));
  await status('complete');
  await page.evaluate(`${article}.querySelectorAll('details')[1].open = true`);
  await page.until(`${article}.querySelectorAll('li').length === 1`);
  t.is(await page.evaluate(`document.querySelectorAll('img').length`), 0, 'names are texts');
  await click('Remove them');
  await eventually('the choice', () => fake.rewrites.at(-1)?.largeFiles === 'remove');
  await status('complete');
  fake.failures.set('detect', new SourceError('tool-failed', 'git failed', 'detecting'));
  await click('Restart');
  await status('error');
  t.regex(await page.evaluate(`${article}.querySelector('.status').textContent`), /git failed/);
  await click('Cancel');
  await page.until(`${article} === null`);
  t.is((await served.json('GET', importPath, { token }))[0], 404);
  await click('Sign out');
  t.is(await page.evaluate('sessionStorage.length'), 0);
});
