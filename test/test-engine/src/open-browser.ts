import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { TestOwner } from './engine.js';

export type { Browser, Locator, Page } from 'playwright-core';

/** Debian's browser without its windows, which take a third of the processor time: playwright-core comes with none. */
const executablePath = '/usr/bin/chromium-headless-shell';

/** Starts a headless browser, which is closed when its owner is done. Waits of its pages take half a minute. */
export async function launchBrowser(t: TestOwner): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  return browser;
}

/** Opens a page in a browser of its own. */
export async function openBrowser(t: TestOwner, options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await launchBrowser(t);
  const context = await browser.newContext(options);
  return context.newPage();
}
