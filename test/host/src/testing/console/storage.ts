import type { ExecutionContext } from 'ava';
import { startContainer } from '../run-in.js';
import type { ConsolePage } from '../start-console.js';

/** Volumes: created, removed, pruned. */
export async function volumes(t: ExecutionContext, { daemon, page, show, press, dialog }: ConsolePage) {
  const { client } = daemon;
  const create = async (name: string) => {
    await press('Create…');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Labels').fill('kind=clicked');
    await press('Create', dialog);
    await page.getByRole('link', { name }).waitFor();
    t.deepEqual((await client.getVolume(name).inspect()).Labels, { kind: 'clicked' });
  };
  const isGone = (name: string) => t.throwsAsync(client.getVolume(name).inspect(), { message: /o such volume/ });
  await show('volumes');
  await create('clicked-1');
  await create('clicked-2');
  await create('clicked-3');
  await page.getByRole('link', { name: 'clicked-1' }).click();
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByRole('heading', { name: 'Volumes' }).waitFor();
  await isGone('clicked-1');
  await page.getByLabel('Select clicked-2').check();
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByText('Remove: 1 volume.').waitFor();
  await isGone('clicked-2');
  await press('Prune…');
  await dialog.getByLabel('Also volumes with a name that no container uses').check();
  await press('Prune', dialog);
  await page.getByText(/Removed 1 volume, freed/).waitFor();
  await isGone('clicked-3');
}

/** Networks: created, connected, shown in the picture, disconnected, removed, pruned. */
export async function networks(t: ExecutionContext, { daemon, page, show, press, dialog }: ConsolePage) {
  const { client } = daemon;
  const container = await startContainer(client, { name: 'member', HostConfig: { NetworkMode: 'bridge' } });
  const memberships = async () => (await container.inspect()).NetworkSettings.Networks;
  const isGone = (name: string) =>
    t.throwsAsync(client.getNetwork(name).inspect(), { message: /not found|o such network/ });
  await show('networks');
  await press('Create…');
  await dialog.getByLabel('Name').fill('clicked-net');
  await press('+ Add subnet', dialog);
  await dialog.getByLabel('Subnet of subnet 1').fill('10.251.7.0/24');
  await dialog.getByLabel('Internal: no way outside').check();
  await press('Create', dialog);
  await page.getByRole('link', { name: 'clicked-net' }).click();
  const created = await client.getNetwork('clicked-net').inspect();
  t.like(created, { Internal: true, IPAM: { Config: [{ Subnet: '10.251.7.0/24' }] } });

  await press('Connect…');
  await dialog.getByLabel('Container').fill('member');
  await dialog.getByLabel('Aliases').fill('nick');
  await dialog.getByLabel('Address').fill('10.251.7.9');
  await press('Connect', dialog);
  await page.getByRole('button', { name: 'Disconnect member' }).waitFor();
  const membership = (await memberships())['clicked-net'];
  t.is(membership?.IPAddress, '10.251.7.9');
  t.true(membership?.Aliases?.includes('nick'));

  await show('networks/picture');
  await page.getByText('clicked-net').first().waitFor();
  await page.getByText('member').first().waitFor();

  await show(`networks/${created.Id}`);
  await press('Disconnect member');
  await press('Disconnect', dialog);
  await page.getByText('Disconnected member.').waitFor();
  t.is((await memberships())['clicked-net'], undefined);
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
  await isGone('clicked-net');

  await client.createNetwork({ Name: 'selected-net' });
  await client.createNetwork({ Name: 'unused-net' });
  await page.getByLabel('Select selected-net').check();
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByText('Remove: 1 network.').waitFor();
  await isGone('selected-net');
  await press('Prune…');
  await press('Prune', dialog);
  await page.getByText(/Removed \d+ networks?\./).waitFor();
  await isGone('unused-net');
}

/** The prunes of the page of the disk: of containers, images, volumes and what builds keep. */
export async function disk(t: ExecutionContext, { daemon, page, show, press, dialog }: ConsolePage) {
  const { client } = daemon;
  const keeper = await startContainer(client, { name: 'disk-keeper' });
  const stopped = await client.createContainer({ name: 'disk-stopped', Image: 'busybox' });
  await client.getImage('busybox').tag({ repo: 'disk-image', tag: '1' });
  await client.createVolume({ Name: 'disk-volume' });
  const prune = async (kind: string, all: boolean) => {
    await press(`Prune ${kind}…`);
    if (all) await dialog.getByLabel('Also those that have a name or may be used again').check();
    await press('Prune', dialog);
    await page.getByText(new RegExp(`Pruned ${kind}, freed`)).waitFor();
  };
  await show('disk');
  await page.getByText(/in all/).waitFor();
  await prune('containers', false);
  await t.throwsAsync(stopped.inspect(), { message: /o such container/ });
  await prune('volumes', true);
  await t.throwsAsync(client.getVolume('disk-volume').inspect(), { message: /o such volume/ });
  await prune('build cache', true);
  const { BuildCache } = (await client.df()) as { BuildCache: readonly { readonly InUse: boolean }[] | null };
  t.deepEqual(
    (BuildCache ?? []).filter(({ InUse }) => !InUse),
    [],
  );
  await prune('images', true);
  t.true((await keeper.inspect()).State.Running);
  await t.notThrowsAsync(client.getImage('busybox').inspect(), 'a container uses it');
  await press('Measure again');
  await page.getByText(/in all/).waitFor();
}
