import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, launchBrowser, type Page } from '@gantry/test-engine/browser';
import { concurrently } from '../concurrently.js';
import { Containers } from '../containers.js';
import { Engine } from '../engine.js';
import { percentile } from '../measurements.js';

const containerCount = 1000;
const rounds = 5;
/** Milliseconds after which a new browser and a new tab have drawn themselves, which they do while a page loads. */
const settled = 2_000;

/** A page of a table and nothing else: what the browser itself needs on this machine. */
const emptyPage = `<!doctype html><title>Empty</title><div><table class="virtual" aria-rowcount="21">${Array.from(
  { length: 20 },
  (_, index) => `<tr aria-rowindex="${index + 2}"><td>row`,
).join('')}</table></div>`;

/**
 * Notes in the page the milliseconds from the start of the navigation to the frame that shows rows of the table, and to the
 * one that shows its last row, to which the list is scrolled as soon as it has rows.
 */
const watchRows = `(() => {
  // After the frame: what it draws is on its way to the screen.
  const note = (name) => requestAnimationFrame(() => setTimeout(() => { globalThis[name] = performance.now(); }));
  const awaitRows = () => {
    if (document.querySelector('table.virtual tbody tr td') === null) return void requestAnimationFrame(awaitRows);
    note('rowsShown');
    requestAnimationFrame(() => requestAnimationFrame(awaitEnd));
  };
  const awaitEnd = () => {
    const table = document.querySelector('table.virtual');
    const box = table?.parentElement;
    if (table?.querySelector('[aria-rowindex="' + table.getAttribute('aria-rowcount') + '"]')) return note('endShown');
    if (box) box.scrollTop = box.scrollHeight;
    requestAnimationFrame(awaitEnd);
  };
  awaitRows();
})();`;

interface Times {
  readonly firstPaint: number;
  readonly rows: number;
  readonly end: number;
}

/**
 * Measures how soon the console shows a list of 1,000 containers, in a new browser and in one that has its files:
 *
 *     node dist/console/measure-console.js /run/gantry.sock http://127.0.0.1:7430 TOKEN
 *
 * The engine has the image `busybox:latest`; the token is what `gantryd console` prints. Containers that are missing are
 * created, and removed again.
 */
async function main([socket = '', url = '', token = '']: readonly string[]): Promise<void> {
  const releases: (() => Promise<void> | void)[] = [];
  const owner = { teardown: (release: () => Promise<void> | void) => void releases.unshift(release) };
  try {
    const engine = new Engine('gantry', socket, undefined);
    owner.teardown(() => engine.close());
    const containers = new Containers(engine, 'busybox:latest');
    const present = await engine.ask<readonly unknown[]>('GET', '/containers/json?all=1');
    const missing = Array.from({ length: Math.max(0, containerCount - present.length) }, (_, index) => index);
    await concurrently(missing, 8, async () => {
      const id = await containers.create({ Cmd: ['true'] });
      owner.teardown(() => containers.remove(id));
    });
    const empty = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(emptyPage);
    });
    empty.listen(0, '127.0.0.1');
    await once(empty, 'listening');
    owner.teardown(() => void empty.close());

    report('an empty page', await measure(`http://127.0.0.1:${(empty.address() as AddressInfo).port}/`));
    const { origin } = new URL(url);
    report('the list of containers', await measure(`${origin}/`, await signIn(origin, token)));
  } finally {
    for (const release of releases) await release();
  }
}

/** @returns the cookie of a session, which all browsers then have. */
async function signIn(origin: string, token: string): Promise<string> {
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(`signing in failed: ${await answer.text()}`);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

type Runs = Readonly<Record<'fresh' | 'warm', readonly Times[]>>;

async function measure(url: string, cookie?: string): Promise<Runs> {
  const [fresh, warm]: [Times[], Times[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const browser = await launchBrowser({ teardown: () => undefined });
    try {
      const page = await openTab(browser, url, cookie);
      fresh.push(await show(page, url));
      warm.push(await show(page, url));
    } finally {
      await browser.close();
    }
  }
  return { fresh, warm };
}

async function openTab(browser: Browser, url: string, cookie = ''): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = cookie.split('=');
  if (name !== '') await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  const page = await context.newPage();
  await page.addInitScript(watchRows);
  return page;
}

async function show(page: Page, url: string): Promise<Times> {
  await page.goto('about:blank');
  await delay(settled);
  await page.goto(url, { waitUntil: 'commit' });
  // The browser reports of a paint when it is on the screen.
  await delay(settled);
  const [rows, end] = await page.evaluate<readonly (number | null)[]>('[globalThis.rowsShown, globalThis.endShown]');
  if (rows == null || end == null) {
    throw new Error(`${url} does not show all rows: ${await page.evaluate('document.body.innerText')}`);
  }
  const firstPaint = await page.evaluate<number>(
    `performance.getEntriesByName('first-paint')[0]?.startTime ?? Number.NaN`,
  );
  return { firstPaint, rows, end };
}

function report(what: string, runs: Runs): void {
  for (const kind of ['fresh', 'warm'] as const) {
    const median = (time: keyof Times): string =>
      percentile(
        runs[kind].map((times) => times[time]),
        0.5,
      ).toFixed(0);
    const said = `first paint ${median('firstPaint')} ms, rows ${median('rows')} ms, last row ${median('end')} ms`;
    process.stdout.write(`${what.padEnd(24)} ${kind.padEnd(6)} ${said}\n`);
  }
}

await main(process.argv.slice(2));
