import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { digestOf, imageOf, legacyArchive, manifestArchive, ociArchive, tarOf } from '../testing/archives.js';
import { imageHarness, nothingStored } from '../testing/harness.js';

const base = await tarOf({ base: 'base' });
const image = imageOf([base]);
const blob = (text: string | Buffer) => ({ [`blobs/sha256/${digestOf(text).slice(7)}`]: text });
const described = (text: string | Buffer) => ({ digest: digestOf(text), size: text.length });

/** The archive is refused with these words, and neither the engine nor the disk has anything of it. */
async function refused(t: ExecutionContext, archive: Buffer, words: RegExp): Promise<void> {
  const harness = await imageHarness(t);
  const before = await readdir(path.join(harness.directory, '..'));
  t.like(await t.throwsAsync(harness.load(archive), { message: words }), { kind: 'invalid-argument' });
  t.deepEqual(await harness.stored(), nothingStored);
  t.deepEqual(await readdir(harness.directory), ['uploads']);
  const escaped = (await readdir(path.join(harness.directory, '..'))).filter((name) => /^escaped/.test(name));
  t.deepEqual(escaped, [], before.join());
  t.deepEqual(harness.events, []);
}

/** The archive is loaded, and what it says of paths is about the archive alone. */
async function harmless(t: ExecutionContext, archive: Buffer): Promise<void> {
  const harness = await imageHarness(t);
  await harness.load(archive);
  t.is(harness.area.store.size, 1);
  t.deepEqual(await readdir(harness.directory), ['uploads']);
  t.deepEqual(await harness.uploads(), []);
  t.false((await readdir(path.join(harness.directory, '..'))).some((name) => /^escaped/.test(name)));
}

const legacy = (id: string, more: object = {}) => legacyArchive([{ id, tar: base, json: more }], { leg: { old: id } });

const withManifest = (members: Record<string, string | Buffer>, item: object) =>
  tarOf({
    'c.json': image.configuration,
    ...members,
    'manifest.json': JSON.stringify([{ Config: 'c.json', ...item }]),
  });

test('member names with .. stay names (CVE-2014-9357)', async (t) => {
  await harmless(
    t,
    await withManifest({ '../../escaped': 'x', '../escaped/layer.tar': base }, { Layers: ['../escaped/layer.tar'] }),
  );
});

test('absolute member names stay names (CVE-2014-6407)', async (t) => {
  await harmless(t, await withManifest({ '/escaped/layer.tar': base }, { Layers: ['/escaped/layer.tar'] }));
});

test('a link out of the archive is not followed (CVE-2014-6407)', async (t) => {
  const outside = await withManifest({ 'layer.tar': '-> /etc/hostname' }, { Layers: ['layer.tar'] });
  await refused(t, outside, /has no "layer.tar"/);
});

test('a configuration that is a link out of the archive is not read', async (t) => {
  const archive = await tarOf({
    'c.json': '-> ../../../../etc/passwd',
    'manifest.json': JSON.stringify([{ Config: 'c.json', Layers: [] }]),
  });
  await refused(t, archive, /has no "c.json"/);
});

test('circular links are refused', async (t) => {
  const archive = await withManifest({ a: '-> b', b: '-> a' }, { Layers: ['a'] });
  await refused(t, archive, /has no "a"/);
});

test('nothing is written through a directory that is a link (CVE-2014-6407)', async (t) => {
  await harmless(t, await withManifest({ d: '-> ..', 'd/escaped': 'x', l: base }, { Layers: ['l'] }));
});

for (const id of ['..', '.', '%2e%2e', 'a b', '-', 'x'.repeat(5000)]) {
  test(`a layer called ${JSON.stringify(id.slice(0, 8))} gets no path of that name (CVE-2014-9357)`, async (t) => {
    const harness = await imageHarness(t);
    await harness.load(await legacy(id)).catch((error: { kind?: string }) => t.is(error.kind, 'invalid-argument'));
    t.deepEqual(await readdir(harness.directory), ['uploads']);
    t.deepEqual(await harness.uploads(), []);
    for (const { storageId } of harness.area.store.layers()) t.regex(storageId, /^[0-9a-f]{32}$/);
  });
}

test('an id inside the document does not replace the id of the member (CVE-2014-9357)', async (t) => {
  const harness = await imageHarness(t);
  await harness.load(await legacy('a'.repeat(64), { id: '../../escaped' }));
  t.regex(harness.area.service.get('leg:old').id, /^sha256:[0-9a-f]{64}$/);
});

test('of two members with one name the last counts', async (t) => {
  const other = await tarOf({ other: 'x' });
  const [first, second] = [await tarOf({ l: other }), await withManifest({ l: base }, { Layers: ['l'] })];
  await harmless(t, Buffer.concat([first.subarray(0, -1024), second]));
});

test('a truncated archive is refused', async (t) => {
  const whole = await manifestArchive([image]);
  await refused(t, whole.subarray(0, whole.length / 2 + 100), /cannot be read/);
});

for (const part of [0.2, 0.6, 0.95]) {
  test(`a compressed archive that ends after ${part * 100} % is refused`, async (t) => {
    const whole = gzipSync(await manifestArchive([image]));
    await refused(t, whole.subarray(0, Math.floor(whole.length * part)), /damaged|cannot be read/);
  });
}

test('a layer that does not match the configuration is refused', async (t) => {
  const other = await tarOf({ other: 'x' });
  await refused(t, await withManifest({ l: other }, { Layers: ['l'] }), /has digest sha256:/);
});

test('a manifest that does not match its digest is refused', async (t) => {
  const archive = await ociArchive(image);
  const at = archive.indexOf('"schemaVersion":2,"config"');
  archive.write('"schemaVersion":9,"config"', at);
  await refused(t, archive, /in the image layout has digest/);
});

test('a configuration that does not match its digest is refused', async (t) => {
  const archive = await ociArchive(image);
  archive.write('"amd65"', archive.indexOf('"amd64"'));
  await refused(t, archive, /in the image layout has digest/);
});

test('a document that is an index and a manifest at once is refused (CVE-2021-41190)', async (t) => {
  const both = JSON.stringify({ manifests: [], config: described(image.configuration), layers: [] });
  const archive = await tarOf({ 'index.json': JSON.stringify({ manifests: [described(both)] }), ...blob(both) });
  await refused(t, archive, /an index and a manifest at once/);
});

test('a document of another media type than declared is refused (CVE-2021-41190)', async (t) => {
  const manifest = JSON.stringify({ config: described(image.configuration), layers: [described(base)] });
  const mediaType = 'application/vnd.oci.image.index.v1+json';
  const archive = await tarOf({
    'index.json': JSON.stringify({ manifests: [{ ...described(manifest), mediaType }] }),
    ...blob(manifest),
    ...blob(image.configuration),
    ...blob(base),
  });
  await refused(t, archive, /is called application.*, which it is not/);
});

for (const digest of ['sha256:../../../etc/passwd', 'md5:d41d8cd98f00b204e9800998ecf8427e', 7, 'sha256:ABC']) {
  test(`a blob called ${JSON.stringify(digest)} is refused`, async (t) => {
    const archive = await tarOf({ 'index.json': JSON.stringify({ manifests: [{ digest }] }) });
    await refused(t, archive, /which is no sha256 digest/);
  });
}

test('deeply nested indexes are refused', async (t) => {
  let inner = JSON.stringify({ manifests: [] });
  const blobs: Record<string, string | Buffer> = {};
  for (let level = 0; level < 10; level += 1) {
    Object.assign(blobs, blob(inner));
    inner = JSON.stringify({ manifests: [described(inner)] });
  }
  await refused(t, await tarOf({ ...blobs, 'index.json': inner }), /index in an index/);
});

test('an oversized document is refused before it is read', async (t) => {
  const archive = await tarOf({ 'manifest.json': Buffer.alloc(17 * 2 ** 20, ' ') });
  await refused(t, archive, /has 17825792 bytes, more than 16777216/);
});

test('an oversized compressed document is refused', async (t) => {
  const archive = gzipSync(await tarOf({ 'manifest.json': Buffer.alloc(64 * 2 ** 20, ' ') }));
  t.true(archive.length < 100_000);
  await refused(t, archive, /more than 16777216/);
});

test('too many layers to mount are refused before the first is extracted', async (t) => {
  const many = imageOf(Array.from({ length: 501 }, () => base));
  const archive = await withManifest(
    { 'many.json': many.configuration, l: base },
    { Config: 'many.json', Layers: many.layers.map(() => 'l') },
  );
  await refused(t, archive, /has 501 layers, more than the 500/);
});

const wrong: Readonly<Record<string, object>> = {
  'config.Labels is not an object of strings': { config: { Labels: { a: { b: 1 } } } },
  'config.Env is not a list of strings': { config: { Env: 'A=1' } },
  'config is not an object': { config: 'x' },
  'history is not a list of objects': { history: 7 },
  'history\\[0\\].created_by is not a string': { history: [{ created_by: ['x'] }] },
  'cannot load windows image on linux': { os: 'windows' },
  'no sha256 digest': { rootfs: { diff_ids: ['sha256:../../x'] } },
};

for (const [words, more] of Object.entries(wrong)) {
  test(`a configuration is refused: ${words}`, async (t) => {
    await refused(t, await manifestArchive([imageOf([base], more)]), new RegExp(words));
  });
}

test('names that are no references are refused', async (t) => {
  for (const name of ['../../etc', 'a/../b:1', 'UPPER:1', 'x:y:z', '-x', `${'a'.repeat(300)}:1`]) {
    await refused(t, await manifestArchive([{ ...image, tags: [name] }]), /invalid reference format/);
  }
});
