import type { ExecutionContext } from 'ava';
import type { ConsolePage } from '../start-console.js';

interface Report {
  readonly findings: readonly { readonly title: string; readonly level: string; readonly found: string }[];
}

/** What the daemon measures of itself, and what the doctor finds; and that it does not run their packages. */
export async function daemonState(t: ExecutionContext, { daemon, page, show, press, errors }: ConsolePage) {
  await daemon.client.createContainer({ name: 'counted', Image: 'busybox' });
  await show('daemon/metrics');
  for (const plot of ['Event loop delay', 'Memory', 'CPU', 'Requests and commits']) {
    await page.getByRole('heading', { name: plot, exact: true }).waitFor();
  }
  await page.locator('canvas').nth(3).waitFor();
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  await panel('Health').getByText('ready', { exact: true }).waitFor();
  const { ContainersStopped: stopped } = (await daemon.client.info()) as { readonly ContainersStopped: number };
  t.true(stopped > 0);
  const states = (await panel('Containers by state').textContent()) ?? '';
  const shown = ['created', 'exited', 'dead'].map((state) =>
    Number(new RegExp(`${state}\\s*(\\d+)`).exec(states)?.[1] ?? 0),
  );
  t.is(
    shown.reduce((sum, count) => sum + count, 0),
    stopped,
    states,
  );
  // Which ones depends on what the tests before this one have asked.
  const routes = panel('Routes that took the most time').getByRole('row');
  await routes
    .filter({ hasText: /^[A-Z]+ \/\S+\s*\d+\s*[\d.]+ ms$/ })
    .first()
    .waitFor();

  await show('daemon/doctor');
  await press('Look again');
  const { code, said } = await daemon.command('doctor', '--json');
  const { findings } = JSON.parse(said) as Report;
  t.is(code, findings.some(({ level }) => level === 'problem') ? 1 : 0);
  for (const { title } of findings) await page.getByText(title, { exact: true }).first().waitFor();
  for (const { found } of findings.filter(({ level }) => level === 'warning')) {
    await page.getByText(found, { exact: true }).first().waitFor();
  }
  await panel('The daemon').getByText('overlayfs', { exact: true }).or(panel('The daemon').getByText(/^vfs/)).waitFor();

  await page.route('**/about', async (route) => {
    const response = await route.fetch();
    const about = (await response.json()) as { readonly units: readonly { readonly name: string }[] };
    const units = about.units.filter(({ name }) => name !== 'metrics');
    await route.fulfill({ response, json: { ...about, units } });
  });
  await show('daemon/metrics');
  await page.reload();
  await page.getByText('"extraPackages": ["@gantry/metrics"]').waitFor();
  t.deepEqual(errors, []);
}
