import { gzipSync } from 'node:zlib';
import test from 'ava';
import { digestOf, imageOf, legacyArchive, manifestArchive, ociArchive, tarOf } from '../testing/archives.js';
import { imageHarness, nothingStored } from '../testing/harness.js';

const base = await tarOf({ 'etc/': '', 'etc/base': 'base' });
const top = await tarOf({ 'etc/top': 'top!' });
const shortId = (layer: Buffer): string => digestOf(layer).slice(7, 19);
const image = imageOf([base, top], { config: { Cmd: ['sh'], Labels: { a: '1' } } });

test('an archive with manifest.json is loaded with its names, layers and configuration', async (t) => {
  const harness = await imageHarness(t);
  const progress = await harness.load(
    await manifestArchive([{ ...image, tags: ['web:1', 'docker.io/library/web:2'] }]),
  );
  t.deepEqual(progress, [
    `layer ${shortId(base)} 0/${base.length}`,
    `layer ${shortId(base)} ${base.length}/${base.length}`,
    `layer ${shortId(top)} 0/${top.length}`,
    `layer ${shortId(top)} ${top.length}/${top.length}`,
    'loaded web:1 web:2',
  ]);
  const loaded = harness.area.service.get('web:1');
  t.like(loaded, { id: image.id, tags: ['web:1', 'web:2'], config: { Cmd: ['sh'] }, size: 8 });
  t.deepEqual(harness.eventSummaries(), [`load ${image.id}`]);
  t.deepEqual(await harness.uploads(), []);
});

test('an OCI image layout is loaded, with the name in its annotations', async (t) => {
  const harness = await imageHarness(t);
  await harness.load(await ociArchive(image, { 'io.containerd.image.name': 'docker.io/library/web:oci' }));
  t.is(harness.area.service.get('web:oci').id, image.id);
});

test('an OCI image layout without a full name is loaded untagged', async (t) => {
  const harness = await imageHarness(t);
  const progress = await harness.load(await ociArchive(image, { 'org.opencontainers.image.ref.name': 'latest' }));
  t.is(progress.at(-1), `loaded ${image.id}`);
});

test('an OCI image layout for other machines only is refused', async (t) => {
  const harness = await imageHarness(t);
  const index = { manifests: [{ digest: digestOf('inner') }] };
  const inner = JSON.stringify({
    manifests: [{ digest: digestOf('x'), platform: { os: 'plan9', architecture: 'z80' } }],
  });
  const archive = await tarOf({
    'index.json': JSON.stringify({ manifests: [{ ...index.manifests[0], digest: digestOf(inner) }] }),
    [`blobs/sha256/${digestOf(inner).slice(7)}`]: inner,
  });
  await t.throwsAsync(harness.load(archive), { message: /holds no image for linux/ });
});

test('an archive in the legacy form is loaded, and its configuration is made from its layers', async (t) => {
  const harness = await imageHarness(t);
  const archive = await legacyArchive(
    [
      { id: 'a'.repeat(64), tar: base, json: { created: '2016-01-01T00:00:00Z' } },
      { id: 'b'.repeat(64), json: { container_config: { Cmd: ['/bin/sh', '-c', '#(nop) ENV A=1'] } } },
      { id: 'c'.repeat(64), tar: top, json: { created: '2016-01-02T00:00:00Z', config: { Cmd: ['x'] }, author: 'me' } },
    ],
    { leg: { old: 'c'.repeat(64) }, 'team/leg': { old: 'c'.repeat(64) } },
  );
  t.deepEqual(await harness.load(archive), [
    `layer aaaaaaaaaaaa 0/${base.length}`,
    `layer aaaaaaaaaaaa ${base.length}/${base.length}`,
    `layer cccccccccccc 0/${top.length}`,
    `layer cccccccccccc ${top.length}/${top.length}`,
    'loaded leg:old team/leg:old',
  ]);
  const { configuration } = harness.area.store.resolve('leg:old');
  t.like(configuration, { author: 'me', created: '2016-01-02T00:00:00Z', config: { Cmd: ['x'] } });
  t.deepEqual(configuration.rootfs.diff_ids, [digestOf(base), digestOf(top)]);
  t.deepEqual(
    configuration.history?.map(({ created_by, empty_layer }) => [created_by, empty_layer]),
    [
      [undefined, undefined],
      ['/bin/sh -c #(nop) ENV A=1', true],
      [undefined, undefined],
    ],
  );
  // The same again finds every layer there, and the same image.
  const before = harness.storage.stored.size;
  await harness.load(archive);
  t.is(harness.storage.stored.size, before);
  t.is(harness.area.store.size, 1);
});

test('the images of a legacy archive without names are the layers without a child', async (t) => {
  const harness = await imageHarness(t);
  const progress = await harness.load(
    await legacyArchive([
      { id: 'a'.repeat(64), tar: base },
      { id: 'b'.repeat(64), tar: top },
    ]),
  );
  t.regex(progress.at(-1) ?? '', /^loaded sha256:/);
  t.is(harness.area.store.size, 1);
});

test('equal layers of an archive may be links to one file', async (t) => {
  const harness = await imageHarness(t);
  const twice = imageOf([base, base]);
  const archive = await tarOf({
    'config.json': twice.configuration,
    'one/layer.tar': base,
    'two/layer.tar': '-> ../one/layer.tar',
    'manifest.json': JSON.stringify([
      { Config: 'config.json', RepoTags: ['twice:x'], Layers: ['one/layer.tar', 'two/layer.tar'] },
    ]),
  });
  await harness.load(archive);
  t.is(harness.area.store.resolve('twice:x').chainIds.length, 2);
});

test('a compressed archive and compressed layers are read', async (t) => {
  const harness = await imageHarness(t);
  const archive = await tarOf({
    'config.json': image.configuration,
    a: gzipSync(base),
    b: top,
    'manifest.json': JSON.stringify([{ Config: 'config.json', RepoTags: ['web:gz'], Layers: ['a', 'b'] }]),
  });
  await harness.load(gzipSync(archive));
  t.is(harness.area.service.get('web:gz').id, image.id);
});

test('stored layers are not extracted again', async (t) => {
  const harness = await imageHarness(t);
  await harness.load(await manifestArchive([imageOf([base])]));
  t.is(harness.storage.begun, 1);
  const progress = await harness.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
  t.is(harness.storage.begun, 2);
  t.deepEqual(progress, [
    `layer ${shortId(top)} 0/${top.length}`,
    `layer ${shortId(top)} ${top.length}/${top.length}`,
    'loaded web:1',
  ]);
});

test('concurrent loads that share a layer extract it once', async (t) => {
  const harness = await imageHarness(t);
  const other = imageOf([base], { author: 'other' });
  await Promise.all([
    harness.load(await manifestArchive([{ ...image, tags: ['web:1'] }])),
    harness.load(await manifestArchive([{ ...other, tags: ['other:1'] }])),
  ]);
  t.is(harness.storage.begun, 2);
  t.is(harness.storage.stored.size, 2);
  t.is(harness.area.service.get('other:1').size, 4);
  await harness.remove('web:1');
  t.is(harness.storage.stored.size, 1);
  await harness.remove('other:1');
  t.deepEqual(await harness.stored(), nothingStored);
});

test('an aborted load does not fail another that waits for the same layer', async (t) => {
  const harness = await imageHarness(t);
  let open: (value: unknown) => void = () => undefined;
  harness.storage.gate = new Promise((resolve) => {
    open = resolve;
  });
  const client = new AbortController();
  const gone = harness.load(await manifestArchive([{ ...image, tags: ['gone:1'] }]), client.signal);
  while (harness.storage.begun === 0) await new Promise(setImmediate);
  const stays = harness.load(await manifestArchive([{ ...imageOf([base]), tags: ['stays:1'] }]));
  client.abort(new Error('gone'));
  await t.throwsAsync(gone, { message: 'gone' });
  open(undefined);
  await stays;
  t.is(harness.area.service.get('stays:1').size, 4);
  t.is(harness.storage.stored.size, 1);
});

test('a load that fails leaves nothing', async (t) => {
  const harness = await imageHarness(t);
  const wrong = { ...image, configuration: image.configuration.replace(digestOf(top), digestOf('other')) };
  const lacking = imageOf([base, top]);
  const archives = {
    'has digest': await manifestArchive([wrong]),
    'has 1 layers for an image whose configuration names 2': await manifestArchive([{ ...lacking, layers: [base] }]),
    'is no tar archive': await manifestArchive([imageOf([base, Buffer.from('x'.repeat(600))])]),
    'holds no image': await tarOf({ file: 'x' }),
    'cannot be read': Buffer.from('not a tar '.repeat(200)),
    'invalid reference format': await manifestArchive([{ ...image, tags: ['UPPER'] }]),
    'is not JSON': await tarOf({ 'manifest.json': '[' }),
    'its own ancestor': await legacyArchive([{ id: 'a', tar: base, json: { parent: 'a' } }], { x: { y: 'a' } }),
    'lacks layer "z"': await legacyArchive([{ id: 'a', tar: base, json: { parent: 'z' } }], { x: { y: 'a' } }),
    'names layer "q"': await legacyArchive([{ id: 'a', tar: base }], { x: { y: 'q' } }),
  };
  for (const [words, archive] of Object.entries(archives)) {
    const error = await t.throwsAsync(harness.load(archive));
    t.like(error, { kind: 'invalid-argument' });
    t.true(error?.message.includes(words), `${words}: ${error?.message}`);
    t.deepEqual(await harness.stored(), nothingStored, words);
  }
  t.deepEqual(harness.events, []);
});

test('images before a corrupted one are loaded', async (t) => {
  const harness = await imageHarness(t);
  const bad = imageOf([top], { rootfs: { diff_ids: [digestOf('x')] } });
  await t.throwsAsync(harness.load(await manifestArchive([{ ...image, tags: ['good:1'] }, bad])));
  t.is(harness.area.service.get('good:1').id, image.id);
  t.is(harness.area.store.size, 1);
});

test('layers of a load that a crash interrupted are removed at start', async (t) => {
  const harness = await imageHarness(t);
  await harness.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
  harness.storage.stored.set('half', { id: 'half', parent: undefined });
  harness.storage.stored.set('upon', { id: 'upon', parent: 'half' });
  await harness.reopen();
  t.is(harness.storage.stored.size, 2);
  t.is(harness.area.service.get('web:1').id, image.id);
});

test('a load during a collection keeps its layers', async (t) => {
  const harness = await imageHarness(t);
  let open: (value: unknown) => void = () => undefined;
  harness.storage.gate = new Promise((resolve) => {
    open = resolve;
  });
  const loading = harness.load(await legacyArchive([{ id: 'a', tar: base }], { x: { y: 'a' } }));
  while (harness.storage.begun === 0) await new Promise(setImmediate);
  const layers = harness.storage.layers.bind(harness.storage);
  harness.storage.layers = async () => {
    open(undefined);
    await loading; // the layer appears between the question and the answer
    return layers();
  };
  await harness.area.service.collect();
  t.is(harness.storage.stored.size, 1);
  t.is(harness.area.service.get('x:y').size, 4);
});
