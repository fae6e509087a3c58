import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@gantry/test-engine/browser';

interface Result {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

const require = createRequire(import.meta.url);

/** What axe-core finds against the accessibility of a page: rules with the elements that break them. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    // Evaluated, not added as a script: the policy of the page refuses what is not its own.
    await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  }
  const { violations } = (await page.evaluate('axe.run()')) as Result;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}
