import { readFile } from 'node:fs/promises';
import { eventually } from '@gantry/test-nodes';
import type { ExecutionContext } from 'ava';
import { runIn, startContainer, textOf } from '../run-in.js';
import type { ConsolePage } from '../start-console.js';

const hostile = '<script>document.title="broken"</script><img src=x onerror="document.title=\'broken\'">\u202etxet';

/** Every button of a container's page and of its row. */
export async function lifecycle(t: ExecutionContext, { daemon, page, show, press, dialog, errors }: ConsolePage) {
  const container = await daemon.client.createContainer({
    name: 'shown',
    Image: 'busybox',
    Cmd: ['sh', '-c', `echo "$HOSTILE"; echo second; exec sleep 1000`],
    Env: [`HOSTILE=${hostile}`, `LONG=${'x'.repeat(10_000)}`],
    Labels: { [hostile]: hostile },
    StopSignal: 'SIGKILL',
    HostConfig: { NetworkMode: 'none' },
  });
  const state = async () => (await container.inspect()).State;
  const row = page.getByRole('row', { name: /shown/ });
  await row.getByText('created', { exact: true }).waitFor();
  await press('Start shown', row);
  await row.getByText('running', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'shown' }).click();
  await page.getByText(hostile).first().waitFor();
  await page.getByRole('link', { name: 'Logs' }).click();
  await page.getByRole('log').getByText('second').waitFor();
  await page.getByLabel('Search').fill('SECOND');
  await page.locator('mark').getByText('second').waitFor();
  t.is(await page.locator('img:not([src="icon.svg"])').count(), 0, 'names and output are texts');
  t.notRegex(await page.title(), /broken/);
  await press('Rename…');
  await dialog.getByLabel('Name').fill('renamed');
  await press('Rename', dialog);
  await page.getByRole('heading', { name: 'renamed' }).waitFor();
  t.is((await container.inspect()).Name, '/renamed');
  await press('Pause');
  await page.getByRole('button', { name: 'Unpause', exact: true }).waitFor();
  t.true((await state()).Paused);
  await press('Unpause');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  t.like(await state(), { Paused: false, Running: true });
  const { StartedAt } = await state();
  await press('Restart');
  await eventually('the restart', async () => {
    const now = await state();
    return now.Running && now.StartedAt !== StartedAt;
  });
  await press('Kill');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  t.like(await state(), { Running: false, ExitCode: 137 });
  await press('Start');
  await press('Stop');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  t.false((await state()).Running);
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByRole('heading', { name: 'Containers' }).waitFor();
  await row.waitFor({ state: 'detached' });
  await t.throwsAsync(container.inspect(), { message: /No such container|no such container/ });
  await show('events');
  await page.getByRole('row', { name: /container destroy renamed/ }).waitFor();
  await press('Details of container destroy');
  await dialog.getByRole('heading', { name: 'container destroy' }).waitFor();
  t.deepEqual(errors, []);
}

/** Actions on several rows, and the prune of those that do not run. */
export async function bulk(t: ExecutionContext, { daemon, page, show, press, dialog }: ConsolePage) {
  const { client } = daemon;
  const create = (name: string) =>
    client.createContainer({ name, Image: 'busybox', Cmd: ['sleep', '1000'], StopSignal: 'SIGKILL' });
  const several = [await create('several-1'), await create('several-2')];
  const stopped = await create('stopped');
  const states = () => Promise.all(several.map(async (each) => (await each.inspect()).State.Status));
  const become = (state: string) =>
    eventually(`containers that are ${state}`, async () => (await states()).every((each) => each === state));
  await show('containers');
  for (const name of ['several-1', 'several-2']) await page.getByLabel(`Select ${name}`).check();
  const actions = page.getByRole('group', { name: 'Actions on the selected containers' });
  for (const [action, state] of [
    ['Start', 'running'],
    ['Pause', 'paused'],
    ['Unpause', 'running'],
    ['Restart', 'running'],
    ['Kill', 'exited'],
  ] as const) {
    await press(action, actions);
    await page.getByText(`${action}: 2 containers.`).waitFor();
    await become(state);
  }
  await press('Start', actions);
  await become('running');
  await press('Prune…');
  await press('Prune', dialog);
  await page.getByText(/Removed 1 container, freed/).waitFor();
  await t.throwsAsync(stopped.inspect(), { message: /o such container/ });
  await press('Remove…', actions);
  await dialog.getByLabel('Kill it when it runs (force)').check();
  await press('Remove', dialog);
  await page.getByText('Remove: 2 containers.').waitFor();
  for (const each of several) await t.throwsAsync(each.inspect(), { message: /o such container/ });
}

/** A shell by exec, and the container's own input and output. */
export async function terminal(t: ExecutionContext, { daemon, page, show, press, errors }: ConsolePage) {
  const container = await startContainer(daemon.client, {
    name: 'spoken-to',
    Cmd: ['sh', '-c', 'read line; echo "got $line"; exec sleep 1000'],
    OpenStdin: true,
  });
  await show(`containers/${container.id}/terminal`);
  await press('Open a terminal');
  const frame = page.frameLocator('iframe[title="Terminal"]');
  await frame.locator('.xterm-rows').getByText('#').waitFor();
  await page.keyboard.type('echo $((40 + 2)) > /made; echo over-$((1 + 1))\n');
  await frame.locator('.xterm-rows').getByText('over-2').waitFor();
  t.is((await runIn(container, 'cat /made')).output, '42\n');
  await press('Close');
  await page.getByText('No terminal is open.').waitFor();
  await press('Attach to the container');
  await frame.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' });
  await page.keyboard.type('hello');
  await page.keyboard.press('Control+j');
  await frame.locator('.xterm-rows').getByText('got hello').waitFor();
  const log = await container.logs({ stdout: true, stderr: true, follow: false });
  t.is(textOf(log), 'got hello\n');
  t.deepEqual(errors, []);
}

/** Files up and down, what has changed, what runs, and plots of what is used. */
export async function files(t: ExecutionContext, { daemon, page, show, press, dialog, errors }: ConsolePage) {
  const container = await startContainer(daemon.client, { name: 'holder', WorkingDir: '/tmp' });
  await show(`containers/${container.id}/files`);
  await press('Upload…');
  await dialog
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'hello.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await press('Upload', dialog);
  await page.getByRole('row', { name: /hello\.txt/ }).waitFor();
  t.is((await runIn(container, 'cat /tmp/hello.txt')).output, 'hello');
  const [download] = await Promise.all([page.waitForEvent('download'), press('Download hello.txt')]);
  t.is(await readFile(await download.path(), 'utf8'), 'hello');
  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByRole('row', { name: '/tmp/hello.txt added' }).waitFor();
  await page.getByRole('link', { name: 'Processes' }).click();
  await page.getByRole('row', { name: /sleep 600/ }).waitFor();
  await page.getByRole('link', { name: 'Stats' }).click();
  for (const plot of ['CPU', 'Memory', 'Network', 'Block devices']) await page.getByText(plot).first().waitFor();
  await page.locator('canvas').nth(3).waitFor();
  t.deepEqual(errors, []);
}
