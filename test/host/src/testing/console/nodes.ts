import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@gantry/test-engine/browser';
import { type Scope, startNodes } from '@gantry/test-nodes';
import type { ExecutionContext } from 'ava';
import type { ConsolePage } from '../start-console.js';
import { startProxy, userHeader } from './start-proxy.js';

/** A second engine joins by its own console, and is promoted, demoted and removed by that of the first one. */
export async function nodes(t: ExecutionContext, { page }: ConsolePage) {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-consoles-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const socketOf = (number: number) => join(directory, `${number}.sock`);
  const [first, second] = await startNodes(t, 2, (number) => ({
    extraPackages: ['@gantry/console'],
    plugins: { console: { host: `unix://${socketOf(number)}`, userHeader } },
  }));
  const browser = page.context().browser();
  if (first === undefined || second === undefined || browser === null) return t.fail('there is no second node');
  // Each is in a network of its own, which only its socket leads out of.
  const [manager, worker] = [await openSwarm(t, browser, socketOf(1)), await openSwarm(t, browser, socketOf(2))];

  await manager.press('Start a swarm…');
  await manager.dialog.getByLabel('Address for other nodes').fill(first.address);
  await manager.dialog.getByRole('button', { name: 'Start', exact: true }).click();
  const part = (name: string) => manager.page.getByLabel('Parts of the swarm').getByRole('link', { name }).click();
  await part('Swarm');
  await manager.page.getByText('Show the token').first().click();
  const token = (await manager.page.locator('.token code').first().textContent()) ?? '';
  await part('Nodes');
  await manager.page.getByRole('row', { name: /leader/ }).waitFor();

  await worker.press('Join a swarm…');
  await worker.dialog.getByLabel('Managers').fill(`${first.address}:2377`);
  await worker.dialog.getByLabel('Join token').fill(token);
  await worker.dialog.getByLabel('Address for other nodes').fill(second.address);
  await worker.dialog.getByRole('button', { name: 'Join', exact: true }).click();
  await worker.page.getByText(/does not manage it/).waitFor();
  const joined = manager.page.getByRole('row').filter({ hasText: second.address });
  await joined.getByText('worker', { exact: true }).waitFor();
  await joined.getByText('ready', { exact: true }).waitFor();

  const setRole = async (role: string): Promise<void> => {
    await joined.getByRole('button', { name: /^Edit / }).click();
    await manager.dialog.getByLabel('Role').selectOption(role);
    await manager.dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await manager.dialog.waitFor({ state: 'detached' });
  };
  await setRole('manager');
  await joined.getByText('reachable', { exact: true }).waitFor();
  await worker.page.getByText('There are no services.').waitFor();
  await setRole('worker');
  await worker.page.getByText(/does not manage it/).waitFor();
  await joined.getByText('reachable', { exact: true }).waitFor({ state: 'detached' });

  await worker.press('Leave the swarm…');
  await worker.dialog.getByRole('button', { name: 'Leave', exact: true }).click();
  await worker.page.getByText('This engine is in no swarm.').waitFor();
  await joined.getByText('down', { exact: true }).waitFor();
  await joined.getByRole('checkbox').check();
  await manager.press('Remove…');
  await manager.dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await joined.waitFor({ state: 'detached' });
  t.is(await manager.page.getByRole('row', { name: /leader/ }).count(), 1);
}

async function openSwarm(t: Scope, browser: Browser, socketPath: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(`${await startProxy(t, socketPath, 'ada')}/#/swarm`);
  return {
    page,
    dialog: page.getByRole('dialog'),
    press: (name: string) => page.locator('main').getByRole('button', { name, exact: true }).click(),
  };
}
