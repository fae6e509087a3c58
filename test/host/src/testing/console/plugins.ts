import { eventually } from '@gantry/test-nodes';
import type { ExecutionContext } from 'ava';
import { askNewest } from '../ask-newest.js';
import { pushExamplePlugin } from '../push-example-plugin.js';
import type { ConsolePage } from '../start-console.js';
import { startStubRegistry } from '../stub-registry.js';

interface Plugin {
  readonly Name: string;
  readonly Enabled: boolean;
  readonly Settings: { readonly Env: readonly string[] };
}

/** A plugin: its rights shown and granted, switched, configured, upgraded and removed. */
export async function plugins(t: ExecutionContext, { daemon, page, show, press, dialog, errors }: ConsolePage) {
  const env = [{ name: 'LEVEL', description: 'how much it says', settable: ['value'], value: 'low' }];
  const reference = `${await pushExamplePlugin(await startStubRegistry(t), { env })}:latest`;
  const list = async () => JSON.parse((await askNewest(daemon, 'GET', '/plugins'))[1]) as readonly Plugin[];
  const enabled = (wanted: boolean) =>
    eventually('the switch', async () => (await list()).some(({ Enabled }) => Enabled === wanted));
  await show('plugins');
  await press('Install…');
  await dialog.getByLabel('Reference').fill(reference);
  await press('Show its rights', dialog);
  await dialog.getByText(`Rights of ${reference}`).waitFor();
  await dialog.getByText('mount', { exact: true }).first().waitFor();
  t.deepEqual(await list(), [], 'nothing is installed before its rights are granted');
  await dialog.getByLabel('Enable it at once').uncheck();
  await press('Grant and install', dialog);
  await page.getByText(`Installed ${reference}.`).waitFor();
  t.like(await list(), [{ Name: reference, Enabled: false }]);

  await page.getByRole('link', { name: reference }).click();
  await press('Configure…');
  await dialog.getByLabel('Settings').fill('LEVEL=high');
  await press('Save', dialog);
  await page.getByText('high').first().waitFor();
  t.true((await list())[0]?.Settings.Env.includes('LEVEL=high'));

  await press('Upgrade…');
  await press('Show its rights', dialog);
  await press('Grant and install', dialog);
  await page.getByText(`Upgraded ${reference}.`).waitFor();
  await enabled(true);

  await press(`Disable ${reference}`);
  await enabled(false);
  await press(`Enable ${reference}`);
  await enabled(true);
  await press('Remove…');
  await dialog.getByLabel('Also when it is enabled').check();
  await press('Remove', dialog);
  await page.getByText('No plugins are installed.').waitFor();
  t.deepEqual(await list(), []);
  t.deepEqual(errors, []);
}
