import type { Locator } from '@gantry/test-engine/browser';
import type { ExecutionContext } from 'ava';
import { imageArchive, rootArchive } from '../image-archive.js';
import type { ConsolePage } from '../start-console.js';
import { startStubRegistry } from '../stub-registry.js';

const tar = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/x-tar', buffer });

async function closeDone(dialog: Locator): Promise<void> {
  await dialog.getByText('Done.').waitFor();
  await dialog.locator('footer').getByRole('button', { name: 'Close' }).click();
}

/** One image loaded, saved, tagged, pushed, pulled, removed, and loaded from what was saved. */
export async function transfers(t: ExecutionContext, { daemon, page, show, press, dialog, errors }: ConsolePage) {
  const { client } = daemon;
  const registry = await startStubRegistry(t);
  const name = `${registry}/clicked:1`;
  const idOf = async (reference: string) => (await client.getImage(reference).inspect()).Id;
  const load = async (archive: Parameters<ReturnType<typeof page.locator>['setInputFiles']>[0]) => {
    await show('images');
    await press('Load…');
    await dialog.getByLabel('Archive of images').setInputFiles(archive);
    await press('Load', dialog);
    await dialog.getByText(/Loaded image/).waitFor();
    await closeDone(dialog);
  };
  await load(tar('web.tar', imageArchive));
  const id = await idOf('web:1');

  await page.getByRole('link', { name: 'web:1' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), press('Save')]);
  const saved = await download.path();

  await press('Tag…');
  await dialog.getByLabel('Tag').fill(name);
  await press('Tag', dialog);
  await page.getByRole('button', { name: `Remove the tag ${name}` }).waitFor();
  t.is(await idOf(name), id);

  await press('Push…');
  await dialog.getByLabel('Tag').selectOption(name);
  await press('Push', dialog);
  await closeDone(dialog);
  t.is((await fetch(`http://${registry}/v2/clicked/manifests/1`)).status, 200);

  await press(`Remove the tag ${name}`);
  await press('Remove', dialog);
  await page.getByText(`Removed ${name}.`).waitFor();
  await t.throwsAsync(idOf(name), { message: /o such image/ });

  await show('images');
  await press('Pull…');
  await dialog.getByLabel('Image').fill(name);
  await press('Pull', dialog);
  await closeDone(dialog);
  t.is(await idOf(name), id);

  await show(`images/${id}`);
  await press('Remove…');
  await dialog.getByLabel(/\(force\)/).check();
  await press('Remove', dialog);
  await page.getByRole('heading', { name: 'Images' }).waitFor();
  await t.throwsAsync(idOf(id), { message: /o such image/ });

  await load(saved);
  t.is(await idOf('web:1'), id);
  t.deepEqual(errors, []);
}

/** Importing, building, their history, and removing. */
export async function making(t: ExecutionContext, { daemon, page, show, press, dialog, errors }: ConsolePage) {
  const { client } = daemon;
  await show('images');
  await press('Import…');
  await dialog.getByLabel('Archive of the files').setInputFiles(tar('root.tar', rootArchive));
  await dialog.getByLabel('Tag of the image').fill('imported:1');
  await dialog.getByLabel('Message').fill('by hand');
  await press('Import', dialog);
  await closeDone(dialog);
  t.is((await client.getImage('imported:1').inspect()).Comment, 'by hand');

  await press('Build…');
  await dialog
    .getByLabel('Or a Dockerfile without a context')
    .fill('FROM busybox\nRUN echo yes > /built\nENV BUILT=1\n');
  await dialog.getByLabel('Tag', { exact: true }).fill('built:1');
  await press('Build', dialog);
  await dialog.getByText(/RUN echo yes/).waitFor();
  await closeDone(dialog);
  const { Id, Config } = await client.getImage('built:1').inspect();
  t.true(Config.Env.includes('BUILT=1'));

  await page.getByRole('link', { name: 'built:1' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('row', { name: /ENV BUILT=1/ }).waitFor();
  await press('Remove…');
  await press('Remove', dialog);
  await page.getByRole('heading', { name: 'Images' }).waitFor();
  await t.throwsAsync(client.getImage(Id).inspect(), { message: /o such image/ });

  // What a container uses stays.
  const keeper = await client.createContainer({ Image: 'busybox' });
  t.teardown(() => keeper.remove());
  await press('Prune…');
  await dialog.getByLabel('Also images with a tag that no container uses').check();
  await press('Prune', dialog);
  await page.getByText(/Removed \d+ images?, freed/).waitFor();
  await t.throwsAsync(client.getImage('imported:1').inspect(), { message: /o such image/ });
  await t.notThrowsAsync(client.getImage('busybox').inspect());
  t.deepEqual(errors, []);
}
