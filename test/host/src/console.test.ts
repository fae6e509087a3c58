import test from 'ava';
import type { Daemon } from './testing/daemon.js';
import { eventually } from './testing/eventually.js';
import { findViolations } from './testing/find-violations.js';
import { freePort } from './testing/free-port.js';
import { openConsole } from './testing/open-console.js';

const pages = [
  'containers',
  'containers/create',
  'containers/web/overview',
  'containers/web/logs',
  'containers/web/stats',
  'containers/web/files',
  'containers/web/inspect',
  'images',
  'volumes',
  'networks',
  'events',
  'disk',
  'plugins',
  'swarm',
  'daemon',
  'daemon/packages',
  'daemon/info',
];

test('containers are shown as they are, and stopped, renamed and removed', async (t) => {
  const { daemon, page, show, errors } = await openConsole(t);
  const hostile = '<img src=x onerror="document.title=\'broken\'">\u202etxet';
  const container = await daemon.client.createContainer({
    name: 'shown',
    Image: 'busybox',
    Cmd: ['sh', '-c', `echo "$HOSTILE"; echo second; exec sleep 1000`],
    Env: [`HOSTILE=${hostile}`, `LONG=${'x'.repeat(10_000)}`],
    Labels: { [hostile]: hostile },
    StopSignal: 'SIGKILL',
    HostConfig: { NetworkMode: 'none' },
  });
  const row = page.getByRole('row', { name: /shown/ });
  await row.getByText('created', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Start shown' }).click();
  await row.getByText('running', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'shown' }).click();
  await page.getByText(hostile).first().waitFor();
  await page.getByRole('link', { name: 'Logs' }).click();
  await page.getByRole('log').getByText('second').waitFor();
  await page.getByLabel('Search').fill('SECOND');
  await page.locator('mark').getByText('second').waitFor();
  t.is(await page.locator('img:not([src="icon.svg"])').count(), 0, 'names and output are texts');
  t.notRegex(await page.title(), /broken/);
  await page.getByRole('button', { name: 'Rename…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('renamed');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'renamed' }).waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  t.false((await container.inspect()).State.Running);
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('There are no containers.').waitFor();
  t.deepEqual(await daemon.client.listContainers({ all: true }), []);
  await show('events');
  await page.getByRole('row', { name: /container destroy renamed/ }).waitFor();
  t.deepEqual(errors, []);
});

/** Something of each kind, for pages that would be empty. */
async function fill({ client }: Daemon): Promise<void> {
  for (const [name, count] of [
    ['web', 3],
    ['cache', 1],
    ['worker', 0],
  ] as const) {
    const container = await client.createContainer({
      name,
      Image: 'busybox',
      Cmd: [
        'sh',
        '-c',
        `for i in 1 2 3; do echo "request $i answered"; done; echo slow >&2; exec sleep ${1000 * count}`,
      ],
      ExposedPorts: { '80/tcp': {} },
      StopSignal: 'SIGKILL',
      HostConfig: { NetworkMode: 'none', Memory: 64 * 2 ** 20 },
    });
    await container.start();
  }
  await client.createVolume({ Name: 'data' });
  await client.createNetwork({ Name: 'front' });
}

test('every page can be used by everyone, in both themes and on a phone', async (t) => {
  const { daemon, page, show, picture, errors } = await openConsole(t);
  await fill(daemon);
  // All pages have the same colours: some show every one of them.
  for (const [colorScheme, shown] of [['light', pages] as const, ['dark', ['containers', 'disk', 'daemon']] as const]) {
    await page.emulateMedia({ colorScheme });
    for (const name of shown) {
      await show(name);
      await page.locator('main h1').waitFor();
      await page.locator('.spinner').first().waitFor({ state: 'detached' });
      t.deepEqual(await findViolations(page), [], `${name}, ${colorScheme}`);
      await picture(`${name.replaceAll('/', '-')}-${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: 360, height: 640 });
  for (const name of pages) {
    await show(name);
    await page.locator('.spinner').first().waitFor({ state: 'detached' });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    t.is(width, 360, `${name} does not scroll sideways`);
  }
  t.deepEqual(errors, []);
});

test('a swarm is started, a service scaled and removed, and the swarm left', async (t) => {
  const { daemon, page, show } = await openConsole(t);
  const dialog = page.getByRole('dialog');
  await show('swarm');
  await page.getByRole('button', { name: 'Start a swarm…' }).click();
  await dialog.getByLabel('Address for other nodes').fill('127.0.0.1');
  await dialog.getByLabel('Listen at').fill(`127.0.0.1:${await freePort()}`);
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Create…' }).click();
  await dialog.getByLabel('Name').fill('sleepers');
  await dialog.getByLabel('Image').fill('busybox:latest');
  await dialog.getByLabel('Command').fill('sleep 1000');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'sleepers' }).click();
  await page.getByRole('button', { name: 'Scale…' }).click();
  await dialog.getByLabel('Replicas').fill('2');
  await dialog.getByRole('button', { name: 'Scale' }).click();
  await page.getByRole('row', { name: /sleepers\.2 running/ }).waitFor();
  await page.getByRole('button', { name: 'Remove…' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('There are no services.').waitFor();
  await show('swarm/membership');
  await page.getByRole('button', { name: 'Leave…' }).click();
  await dialog.getByLabel('Also when this node manages the swarm').check();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await show('swarm');
  await page.getByText('This engine is in no swarm.').waitFor();
  t.true(await eventually('no task', async () => (await daemon.client.listContainers({ all: true })).length === 0));
});

test('the page says that the daemon is dead or slow, and recovers', async (t) => {
  const { daemon, page, show, signIn } = await openConsole(t);
  await daemon.crash();
  await page.getByText('The engine does not answer; trying again').waitFor();
  await daemon.restart();
  await signIn();
  await page.getByText('There are no containers.').waitFor();
  await page.route('**/api/system/df', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await route.continue();
  });
  await show('disk');
  await page.getByText('The engine is slow to answer.').waitFor();
  await page.getByText(/in all/).waitFor();
  t.pass();
});
