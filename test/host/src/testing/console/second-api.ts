import { join } from 'node:path';
import { askOperator } from '@gantry/hosted-api/service';
import type { ExecutionContext } from 'ava';
import { findViolations } from '../find-violations.js';
import type { ConsolePage } from '../start-console.js';

const pages = ['Inbox', 'Imports'] as const;

/** From the console to the pages of the second API, which have accounts of their own, and back. */
export async function secondApi(t: ExecutionContext, { daemon, page, picture, errors }: ConsolePage) {
  const operatorSocket = join(daemon.directory, 'run/plugins/hosted-api/operator.sock');
  const { token } = (await askOperator(operatorSocket, 'POST', '/tokens', {
    user: 'octavia',
    scopes: ['notifications', 'repo'],
  })) as { token: string };
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.getByLabel('Colours').selectOption('dark');
  const dark = await background();
  await navigation.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  t.deepEqual(await findViolations(page), [], 'sign-in');
  t.is(await background(), dark, 'the colours are those that were chosen in the console');
  t.false(await navigation.getByRole('link', { name: 'Engine' }).isVisible(), 'no one has signed in');
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  for (const name of pages) {
    await navigation.getByRole('link', { name }).click();
    await page.getByRole('heading', { name }).waitFor();
    t.is(await navigation.getByRole('link', { name }).getAttribute('aria-current'), 'page');
    for (const colours of ['dark', 'light'] as const) {
      await page.getByLabel('Colours').selectOption(colours);
      t.deepEqual(await findViolations(page), [], `${name}, ${colours}`);
      await picture(`${name.toLowerCase()}-${colours}`);
    }
  }
  await page.setViewportSize({ width: 360, height: 640 });
  for (const name of pages) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await navigation.getByRole('link', { name }).click();
    await page.getByRole('heading', { name }).waitFor();
    t.is(await page.evaluate('document.documentElement.scrollWidth'), 360, `${name} does not scroll sideways`);
    await picture(`${name.toLowerCase()}-phone`);
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await navigation.getByRole('link', { name: 'Engine' }).click();
  await page.getByRole('heading', { name: 'Containers' }).waitFor();
  t.not(await background(), dark, 'and the other way round');
  t.deepEqual(errors, []);
}
