import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { pack } from 'tar-stream';
import { digestOf, imageOf, tarOf } from '../testing/archives.js';
import { imageHarness, nothingStored } from '../testing/harness.js';

const base = await tarOf({ base: 'base' });
const image = imageOf([base]);
const blobName = (text: string | Buffer): string => `blobs/sha256/${digestOf(text).slice(7)}`;

async function refused(t: ExecutionContext, archive: Buffer, words: RegExp): Promise<void> {
  const harness = await imageHarness(t);
  t.like(await t.throwsAsync(harness.load(archive), { message: words }), { kind: 'invalid-argument' });
  t.deepEqual(await harness.stored(), nothingStored);
  t.deepEqual(await harness.uploads(), []);
}

const million = 1_000_000;

test('a manifest of a million images in less than 16 MiB is refused before any is read', async (t) => {
  const item = '{"Config":"c"}';
  const manifest = `[${`${item},`.repeat(million)}${item}]`;
  t.true(manifest.length < 16 * 2 ** 20);
  await refused(t, await tarOf({ c: image.configuration, 'manifest.json': manifest }), /more than 10000 images/);
});

test('an index of a million manifests in less than 16 MiB is refused before any is read', async (t) => {
  const index = `{"manifests":[${'{},'.repeat(million)}{}]}`;
  await refused(t, await tarOf({ 'index.json': index }), /more than 10000 images/);
});

test('an image with a million names is refused', async (t) => {
  const names = `${'"a:b",'.repeat(million)}"a:b"`;
  const manifest = `[{"Config":"c","Layers":["l"],"RepoTags":[${names}]}]`;
  const archive = await tarOf({ c: image.configuration, l: base, 'manifest.json': manifest });
  await refused(t, archive, /more than 10000 images or names/);
});

test('indexes that list one another a thousand times each are refused', async (t) => {
  const blobs: Record<string, string> = {};
  let inner = JSON.stringify({ manifests: [] });
  for (let level = 0; level < 4; level += 1) {
    blobs[blobName(inner)] = inner;
    const descriptor = { digest: digestOf(inner), size: inner.length };
    inner = JSON.stringify({ manifests: Array.from({ length: 1000 }, () => descriptor) });
  }
  await refused(t, await tarOf({ ...blobs, 'index.json': inner }), /more than 10000 images/);
});

for (const type of ['fifo', 'character-device', 'directory', 'symlink', 'link'] as const) {
  test(`a blob that is a ${type} is refused`, async (t) => {
    const name = blobName(image.configuration);
    const manifest = JSON.stringify({ config: { digest: digestOf(image.configuration) }, layers: [] });
    const tar = pack();
    tar.entry({ name, type, linkname: '/etc/passwd', devmajor: 1, devminor: 3 });
    tar.entry({ name: blobName(manifest) }, manifest);
    tar.entry({ name: 'index.json' }, JSON.stringify({ manifests: [{ digest: digestOf(manifest) }] }));
    tar.finalize();
    await refused(t, await buffer(tar), /the archive has no .*blobs/);
  });
}
