import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type Locator, launchBrowser, type Page } from '@gantry/test-engine/browser';
import { type Daemon, type Scope, startDaemon } from '@gantry/test-nodes';
import { untilListening } from './console/until-listening.js';
import { freePort } from './free-port.js';

/** A page of the console of a running daemon, signed in. */
export interface ConsolePage {
  readonly daemon: Daemon;
  readonly page: Page;
  /** The dialog that is open. */
  readonly dialog: Locator;
  /** Shows a page, such as `containers`. */
  show(page: string): Promise<void>;
  /** Presses a button by its whole name, of the page or of a part of it. */
  press(name: string, within?: Locator): Promise<void>;
  /** Keeps a picture of the page for the documentation, where GANTRY_PICTURES names a directory. */
  picture(name: string): Promise<void>;
  /** Enters a new token where the page asks for one. */
  signIn(): Promise<void>;
  /** What the browser has logged as an error, refused by its policy or thrown. */
  readonly errors: readonly string[];
}

/** Starts a daemon with its console, and a browser. @returns a function that opens a page with a session of its own. */
export async function startConsole(owner: Scope): Promise<(t: Scope) => Promise<ConsolePage>> {
  // The same after a restart.
  const port = await freePort();
  const daemon = await startDaemon(owner, {
    extraPackages: [
      '@gantry/console',
      '@gantry/hosted-api',
      '@gantry/metrics',
      '@gantry/notifications',
      '@gantry/source-git',
      '@gantry/source-import',
    ],
    plugins: {
      console: { host: `tcp://127.0.0.1:${port}` },
      'hosted-api': { hosts: [`tcp://127.0.0.1:${await freePort()}`] },
      'source-import': { enabled: true },
    },
  });
  await untilListening({ host: '127.0.0.1', port });
  const browser = await launchBrowser(owner);
  return (t) => openPage(t, daemon, browser, `http://127.0.0.1:${port}`);
}

async function openPage(t: Scope, daemon: Daemon, browser: Browser, url: string): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  t.teardown(async () => {
    if (t.passed === false) {
      for (const shown of context.pages()) t.log?.(`${shown.url()} shows: ${await textOf(shown)}`);
    }
    await context.close();
  });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('crash', () => failures.push('the page crashed'));
  page.on('requestfailed', (request) => failures.push(`${request.url()}: ${request.failure()?.errorText}`));
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  const signIn = async () => {
    const { said } = await daemon.command('console');
    const token = /token:\s+(\S+)/.exec(said)?.[1] ?? '';
    page.on('request', (request) => {
      if (token === '' || request.url().includes(token)) errors.push(`the token is in an address: ${request.url()}`);
    });
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await visit(page, url);
  await signIn().catch(async (cause: unknown) => {
    const shown = await textOf(page);
    throw new Error(`no one can sign in: the page shows "${shown}"; ${[...failures, ...errors].join('; ')}`, { cause });
  });
  await page.getByRole('heading', { name: 'Containers' }).waitFor();
  return {
    daemon,
    page,
    dialog: page.getByRole('dialog'),
    show: async (name) => {
      await page.goto(`${url}/#/${name}`);
    },
    press: (name, within) => (within ?? page.locator('main')).getByRole('button', { name, exact: true }).click(),
    picture: async (name) => {
      const directory = process.env.GANTRY_PICTURES;
      if (directory !== undefined) await page.screenshot({ path: join(directory, `${name}.png`) });
    },
    signIn,
    errors,
  };
}

/** As browsers with windows do by themselves: a page that a change of the host's interfaces has aborted is loaded again. */
async function visit(page: Page, url: string): Promise<void> {
  for (;;) {
    try {
      await page.goto(url);
      return;
    } catch (error) {
      if (!/ERR_NETWORK_CHANGED/.test(String(error))) throw error;
    }
  }
}

/** Says why instead, when the page does not answer any more. */
const textOf = (page: Page): Promise<string> =>
  Promise.race([
    page.evaluate<string>('document.body.innerText').catch(String),
    delay(1_000, 'nothing: it does not answer'),
  ]);
