import { eventually } from '@gantry/test-nodes';
import type { ExecutionContext } from 'ava';
import { askNewest } from '../ask-newest.js';
import { freePort } from '../free-port.js';
import type { ConsolePage } from '../start-console.js';

interface Service {
  readonly ID: string;
  readonly Spec: {
    readonly Name: string;
    readonly Mode: { readonly Replicated?: { readonly Replicas: number } };
    readonly TaskTemplate: { readonly ContainerSpec: { readonly Image: string } };
  };
}

interface Item {
  readonly Spec: { readonly Name: string; readonly Data?: string; readonly Labels?: Readonly<Record<string, string>> };
}

interface Node {
  readonly Spec: { readonly Availability: string; readonly Labels?: Readonly<Record<string, string>> };
}

/** A swarm from its start to the leave of its only node, with everything in it. */
export async function swarm(t: ExecutionContext, console: ConsolePage) {
  const { daemon, page, show, press, dialog, errors } = console;
  const read = async <T>(path: string) => JSON.parse((await askNewest(daemon, 'GET', path))[1]) as T;
  await daemon.client.getImage('busybox').tag({ repo: 'busybox', tag: 'other' });
  await show('swarm');
  await press('Start a swarm…');
  await dialog.getByLabel('Address for other nodes').fill('127.0.0.1');
  await dialog.getByLabel('Listen at').fill(`127.0.0.1:${await freePort()}`);
  await press('Start', dialog);
  await page.getByText('There are no services.').waitFor();

  await services(t, console, async () => (await read<readonly Service[]>('/services'))[0]);
  await items(t, console, 'secret', () => read<readonly Item[]>('/secrets'));
  await items(t, console, 'config', () => read<readonly Item[]>('/configs'));

  await show('swarm/nodes');
  const node = async () => (await read<readonly Node[]>('/nodes'))[0]?.Spec;
  await page.getByRole('button', { name: /^Edit / }).click();
  await dialog.getByLabel('Availability').selectOption('pause');
  await dialog.getByLabel('Labels').fill('zone=east');
  await press('Save', dialog);
  await page.getByRole('row').getByText('pause', { exact: true }).waitFor();
  t.like(await node(), { Availability: 'pause', Labels: { zone: 'east' } });
  await page.getByRole('checkbox', { name: /^Select (?!all)/ }).check();
  for (const [action, availability] of [
    ['Drain', 'drain'],
    ['Pause', 'pause'],
    ['Activate', 'active'],
  ] as const) {
    await press(action);
    await page.getByText(`${action}: 1 node.`).waitFor();
    await eventually(availability, async () => (await node())?.Availability === availability);
  }

  await page.getByRole('checkbox', { name: /^Select (?!all)/ }).check();
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByText(/Remove failed for 1 node: .* is a cluster manager/).waitFor();

  await show('swarm/membership');
  const token = async () => (await read<{ JoinTokens: { Worker: string } }>('/swarm')).JoinTokens.Worker;
  const before = await token();
  await page.getByRole('button', { name: 'Rotate' }).first().click();
  await page.getByText('The old token is void.').waitFor();
  t.not(await token(), before);
  await press('Leave…');
  await dialog.getByLabel('Also when this node manages the swarm').check();
  await press('Leave', dialog);
  await page.getByText('Left the swarm.').waitFor();
  await show('swarm');
  await page.getByText('This engine is in no swarm.').waitFor();
  await press('Join a swarm…');
  await dialog.getByLabel('Managers').fill(`127.0.0.1:${await freePort()}`);
  await dialog.getByLabel('Join token').fill('SWMTKN-1-none');
  await press('Join', dialog);
  await dialog.getByText(/invalid join token/).waitFor();
  await press('Cancel', dialog);
  const info = await read<{ Swarm: { LocalNodeState: string } }>('/info');
  t.is(info.Swarm.LocalNodeState, 'inactive');
  t.deepEqual(errors, []);
}

/** A service created, scaled, updated, rolled back, its logs and those of a task, and its removal. */
async function services(
  t: ExecutionContext,
  { page, show, press, dialog }: ConsolePage,
  service: () => Promise<Service | undefined>,
) {
  const image = async () => (await service())?.Spec.TaskTemplate.ContainerSpec.Image ?? '';
  await press('Create…');
  await dialog.getByLabel('Name').fill('sleepers');
  await dialog.getByLabel('Image').fill('busybox:latest');
  await dialog.getByLabel('Command').fill("sh -c 'trap exit TERM; echo said by a task; sleep 1000 & wait'");
  await press('Create', dialog);
  await page.getByRole('link', { name: 'sleepers' }).click();
  await page.getByRole('row', { name: /sleepers\.1 running/ }).waitFor();
  await press('Scale…');
  await dialog.getByLabel('Replicas').fill('2');
  await press('Scale', dialog);
  await page.getByRole('row', { name: /sleepers\.2 running/ }).waitFor();
  t.is((await service())?.Spec.Mode.Replicated?.Replicas, 2);

  await page.getByRole('link', { name: 'Logs' }).click();
  await page
    .getByRole('log')
    .getByText(/said by/)
    .nth(1)
    .waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'sleepers.1' }).first().click();
  await page.getByRole('heading', { name: /^Task / }).waitFor();
  await page
    .getByRole('log')
    .getByText(/said by/)
    .waitFor();
  t.is(
    await page
      .getByRole('log')
      .getByText(/said by/)
      .count(),
    1,
    'of one task only',
  );
  await page.getByRole('link', { name: 'Service' }).click();

  const replaced = page.getByRole('row', { name: /sleepers\.\d running running .* busybox:other/ });
  const old = page.getByRole('row', { name: /sleepers\.\d running running .* busybox:latest/ });
  await press('Update…');
  await dialog.getByLabel('Image').fill('busybox:other');
  await dialog.getByLabel('Seconds between steps').fill('3600');
  await press('Update', dialog);
  await eventually('the update', async () => /^busybox:other/.test(await image()));
  await replaced.waitFor();
  t.deepEqual([await replaced.count(), await old.count()], [1, 1], 'one task after the other');
  await page.getByText('updating', { exact: true }).waitFor();
  await press('Update…');
  await dialog.getByLabel('Image').fill('busybox:latest');
  await dialog.getByLabel('Seconds between steps').fill('0');
  await press('Update', dialog);
  await old.nth(1).waitFor();
  await page.getByText('completed', { exact: true }).waitFor();
  await press('Roll back');
  await page.getByText('sleepers is rolled back.').waitFor();
  await eventually('the rollback', async () => /^busybox:other/.test(await image()));
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByText('There are no services.').waitFor();
  t.is(await service(), undefined);
  await show('swarm/tasks');
  await page.getByText('There are no tasks.').waitFor();
}

async function items(
  t: ExecutionContext,
  { page, show, press, dialog }: ConsolePage,
  kind: 'secret' | 'config',
  list: () => Promise<readonly Item[]>,
) {
  await show(`swarm/${kind}s`);
  await press('Create…');
  await dialog.getByLabel('Name').fill(`clicked-${kind}`);
  await dialog.getByLabel('Content').fill('what is in it');
  await dialog.getByLabel('Labels').fill('kind=clicked');
  await press('Create', dialog);
  await page.getByRole('row', { name: new RegExp(`clicked-${kind}`) }).waitFor();
  const [made] = await list();
  t.like(made?.Spec, { Name: `clicked-${kind}`, Labels: { kind: 'clicked' } });
  t.is(made?.Spec.Data, kind === 'secret' ? undefined : btoa('what is in it'));
  await page.getByLabel(`Select clicked-${kind}`).check();
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByText(`Remove: 1 ${kind}.`).waitFor();
  t.deepEqual(await list(), []);
}
