import { type Daemon, eventually } from '@gantry/test-nodes';
import type { ExecutionContext } from 'ava';
import type Docker from 'dockerode';
import { findViolations } from '../find-violations.js';
import type { ConsolePage } from '../start-console.js';

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
  'networks/picture',
  'events',
  'disk',
  'plugins',
  'swarm',
  'daemon',
  'daemon/metrics',
  'daemon/doctor',
  'daemon/packages',
  'daemon/configuration',
  'daemon/info',
];

const requests = `n=0; while [ $n -lt 40 ]; do n=$((n + 1)); echo "GET /products/$((n * 37 % 900)) 200 $((n % 7 + 1)) ms"; done
echo 'upstream "stock" answered after 912 ms' >&2
exec sleep 3000`;

const containers = [
  { name: 'web', image: 'shop/web', ports: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] }, state: 'running' },
  { name: 'orders', image: 'shop/orders', ports: { '8080/tcp': [] }, state: 'running' },
  { name: 'stock', image: 'shop/stock', ports: { '8080/tcp': [] }, state: 'running' },
  { name: 'database', image: 'busybox', ports: { '5432/tcp': [] }, state: 'paused' },
  { name: 'migrate', image: 'shop/orders', ports: {}, state: 'exited' },
  { name: 'nightly-backup', image: 'busybox', ports: {}, state: 'created' },
] as const;

/** Something of each kind, for pages that would be empty. */
async function fill({ client }: Daemon): Promise<void> {
  await client.createNetwork({ Name: 'front' });
  await client.createVolume({ Name: 'data' });
  for (const repo of ['shop/web', 'shop/orders', 'shop/stock'])
    await client.getImage('busybox').tag({ repo, tag: 'latest' });
  for (const { name, image, ports, state } of containers) {
    const container = await client.createContainer({
      name,
      Image: image,
      Cmd: ['sh', '-c', state === 'exited' ? 'echo done' : requests],
      ExposedPorts: Object.fromEntries(Object.keys(ports).map((port) => [port, {}])),
      StopSignal: 'SIGKILL',
      HostConfig: { NetworkMode: 'front', Memory: 64 * 2 ** 20, PortBindings: ports, Binds: ['data:/var/lib/data'] },
    });
    if (state !== 'created') await container.start();
    if (state === 'exited') await container.wait();
    if (state === 'paused') await container.pause();
  }
}

/** All pages without violations of accessibility, in both themes, and none wider than a phone. */
export async function everyPage(t: ExecutionContext, { daemon, page, show, picture, errors }: ConsolePage) {
  await fill(daemon);
  // All pages have the same colours: some show every one of them.
  for (const [colorScheme, shown] of [
    ['light', pages] as const,
    ['dark', ['containers', 'containers/web/logs', 'networks/picture', 'disk', 'daemon', 'daemon/doctor']] as const,
  ]) {
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
    await picture(`${name.replaceAll('/', '-')}-phone`);
  }
  t.deepEqual(errors, []);
}

/** Without a mouse: past the navigation, into a dialog and out of it. */
export async function byKeyboard(t: ExecutionContext, { page, dialog, errors }: ConsolePage) {
  const { keyboard } = page;
  const focused = page.locator('*:focus');
  await page.reload();
  await page.getByRole('heading', { name: 'Containers' }).waitFor();
  await keyboard.press('Tab');
  t.is(await focused.textContent(), 'Skip to the page');
  await keyboard.press('Enter');
  t.is(await focused.getAttribute('id'), 'main');
  await keyboard.press('Tab');
  t.is(await focused.textContent(), 'Prune…');
  await keyboard.press('Enter');
  await dialog.waitFor();
  t.true(await dialog.locator(':focus').isVisible(), 'the focus is in the dialog');
  for (let pressed = 0; pressed < 12; pressed++) await keyboard.press('Tab');
  t.is(await page.locator('main :focus').count(), 0, 'and does not leave it');
  await keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  t.is(await focused.textContent(), 'Prune…', 'and is where it was');
  t.deepEqual(errors, []);
}

/** The document has the list before any script runs, and is taken over as it is. */
export async function firstScreen(t: ExecutionContext, { daemon, page, show, errors }: ConsolePage) {
  const containers: Docker.Container[] = [];
  for (let number = 0; number < 60; number++) {
    const options = { name: `first-${number}`, Image: 'busybox', Labels: { row: `r${number}` } };
    containers.push(await daemon.client.createContainer(options));
  }
  await page.getByLabel('Colours').selectOption('dark');
  const table = page.getByRole('table', { name: 'containers' });
  const row = (number: number) => table.getByRole('link', { name: `first-${number}`, exact: true });
  await page.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.reload();
  await row(0).waitFor();
  t.true(Number(await table.getAttribute('aria-rowcount')) > 60);
  await page.unroute('**/*.js');

  await page.reload();
  await row(0).waitFor();
  await eventually('the page takes over', () => page.evaluate('document.title.startsWith("Containers")'));
  t.is(await page.getByLabel('Colours').inputValue(), 'dark');
  await table.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await row(59).waitFor();
  await page.getByLabel('Filter containers').fill('r42');
  t.is(await table.locator('tbody tr td.check').count(), 1);
  await daemon.client.getContainer('first-42').rename({ name: 'renamed-42' });
  await table.getByText('renamed-42').waitFor();

  await show('images');
  await page.reload();
  await page.getByRole('heading', { name: 'Images' }).waitFor();
  t.is(await table.count(), 0);
  t.deepEqual(errors, []);
  // The tests behind this one look for rows among those in sight.
  for (const container of containers) await container.remove();
}

/** Each with three streams for as long as it is shown: events, statistics and a log. */
export async function manyTabs(t: ExecutionContext, { daemon, page, show }: ConsolePage) {
  const container = await daemon.client.createContainer({
    name: 'followed',
    Image: 'busybox',
    Cmd: ['sh', '-c', 'read line; echo "heard $line"; exec sleep 1000'],
    OpenStdin: true,
    StopSignal: 'SIGKILL',
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  await show(`containers/${container.id}/stats`);
  const statistics = page.url();
  const tabs = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const tab = await page.context().newPage();
      await tab.goto(statistics);
      await tab.getByText('The last hour').waitFor();
      // Statistics go on while another part of the container is shown.
      await tab.goto(statistics.replace(/stats$/, 'logs'));
      await tab.getByText('Following').waitFor();
      return tab;
    }),
  );
  const input = await container.attach({ stream: true, stdin: true, hijack: true });
  input.write('all\n');
  await Promise.all(tabs.map((tab) => tab.getByRole('log').getByText('heard all').waitFor()));
  await container.rename({ name: 'followed-by-all' });
  await Promise.all(tabs.map((tab) => tab.getByRole('heading', { name: 'followed-by-all' }).waitFor()));
  await show('containers');
  await page.getByRole('table', { name: 'containers' }).getByText('followed-by-all').waitFor();
  t.is(tabs.length, 8);
}

/** As while interfaces of containers come and go: the browser aborts what connects. */
export async function missingFiles(t: ExecutionContext, { page, show }: ConsolePage) {
  const failing = new Set<string>();
  await page.route(/\.js$/, (route) => {
    const url = route.request().url();
    if (failing.has(url)) return route.continue();
    failing.add(url);
    return route.abort('failed');
  });
  await page.reload();
  // Asked for while the page is loaded again, it has none.
  const title = () => page.title().catch(() => '');
  await eventually('the page takes over', async () => (await title()).startsWith('Containers'));
  await show('volumes');
  await page.getByRole('heading', { name: 'Volumes' }).waitFor();
  t.true(failing.size >= 3, [...failing].join());
}

/** As behind a proxy that passes only requests on. */
export async function withoutWebSockets(t: ExecutionContext, { daemon, page, press }: ConsolePage) {
  await page.routeWebSocket(/\/stream\//, (socket) => socket.close());
  await page.reload();
  await page.getByText(/Pages do not update by themselves: .*a proxy in between has to pass them on/).waitFor();
  await page.getByRole('heading', { name: 'Containers' }).waitFor();
  const container = await daemon.client.createContainer({ name: 'unseen', Image: 'busybox', Cmd: ['sleep', '1000'] });
  await page.reload();
  await press('Start unseen');
  t.true(await eventually('the start', async () => (await container.inspect()).State.Running));
}

export async function deadOrSlow(t: ExecutionContext, { daemon, page, show, signIn }: ConsolePage) {
  await daemon.crash();
  await page.getByText('The engine does not answer; trying again').waitFor();
  await daemon.restart();
  await signIn();
  await page.getByRole('table', { name: 'containers' }).waitFor();
  await page.route('**/api/system/df', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await route.continue();
  });
  await show('disk');
  await page.getByText('The engine is slow to answer.').waitFor();
  await page.getByText(/in all/).waitFor();
  t.pass();
}
