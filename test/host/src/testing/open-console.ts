import { join } from 'node:path';
import { openBrowser } from '@gantry/test-engine';
import { type Daemon, type Scope, startDaemon } from './daemon.js';
import { freePort } from './free-port.js';

type Page = Awaited<ReturnType<typeof openBrowser>>;

/** A daemon with its console, and a browser that has signed in there. */
interface Console {
  readonly daemon: Daemon;
  readonly page: Page;
  readonly url: string;
  /** Shows a page, such as `containers`. */
  show(page: string): Promise<void>;
  /** Keeps a picture of the page for the documentation, where GANTRY_PICTURES names a directory. */
  picture(name: string): Promise<void>;
  /** Enters a new token where the page asks for one. */
  signIn(): Promise<void>;
  /** What the browser has logged as an error, refused by its policy or thrown. */
  readonly errors: readonly string[];
}

export async function openConsole(t: Scope): Promise<Console> {
  // The same after a restart.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const daemon = await startDaemon(t, {
    extraPackages: ['@gantry/console'],
    plugins: { console: { host: `tcp://127.0.0.1:${port}` } },
  });
  const page = await openBrowser(t, { viewport: { width: 1280, height: 800 } });
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  const signIn = async () => {
    const { said } = await daemon.command('console');
    await page.getByLabel('Token').fill(/token:\s+(\S+)/.exec(said)?.[1] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto(url);
  await signIn();
  await page.getByRole('heading', { name: 'Containers' }).waitFor();
  const show = async (name: string) => {
    await page.goto(`${url}/#/${name}`);
  };
  const picture = async (name: string) => {
    const directory = process.env.GANTRY_PICTURES;
    if (directory !== undefined) await page.screenshot({ path: join(directory, `${name}.png`) });
  };
  return { daemon, page, picture, url, show, signIn, errors };
}
