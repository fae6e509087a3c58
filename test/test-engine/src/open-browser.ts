import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { TestOwner } from './engine.js';

/** Debian's browser: playwright-core comes with none. */
const executablePath = '/usr/bin/chromium';

/** Opens a page in a headless browser, which is closed when the test is over. Waits of the page take half a minute. */
export async function openBrowser(t: TestOwner, options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const context = await browser.newContext(options);
  return context.newPage();
}
