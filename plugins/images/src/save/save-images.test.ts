import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { extract } from 'tar-stream';
import { digestOf, imageOf, legacyArchive, manifestArchive, tarOf } from '../testing/archives.js';
import { imageHarness, nothingStored } from '../testing/harness.js';

const base = await tarOf({ 'etc/': '', 'etc/base': 'base' });
const top = await tarOf({ 'etc/top': 'top!' });
const image = imageOf([base, top], { config: { Cmd: ['sh'], Labels: { a: '1' } }, author: 'me' });
const other = imageOf([base], { author: 'other' });

interface Read {
  readonly type: string;
  readonly text: Buffer;
  readonly target: string | undefined;
}

async function membersOf(archive: Buffer): Promise<Map<string, Read>> {
  const members = new Map<string, Read>();
  const entries = extract();
  entries.end(archive);
  for await (const entry of entries) {
    const { name, type, linkname } = entry.header;
    members.set(name, { type: String(type), text: await buffer(entry as never), target: linkname ?? undefined });
  }
  return members;
}

async function saving(t: Parameters<typeof imageHarness>[0]) {
  const harness = await imageHarness(t);
  await harness.load(
    await manifestArchive([
      { ...image, tags: ['web:1', 'web:2', 'reg.test:5000/team/web:3'] },
      { ...other, tags: ['other:x'] },
    ]),
  );
  harness.events.length = 0;
  const save = (...names: string[]): Promise<Buffer> => buffer(harness.area.saveImages.save(names));
  const saved = async (...names: string[]) => membersOf(await save(...names));
  return { harness, save, saved };
}

const json = (members: Map<string, Read>, name: string) => JSON.parse(String(members.get(name)?.text));

test('a saved tag has a directory for each layer, and repositories', async (t) => {
  const { saved, harness } = await saving(t);
  const members = await saved('web:1');
  const id: string = json(members, 'repositories').web[1];
  t.deepEqual(json(members, 'repositories'), { web: { 1: id } });
  const document = json(members, `${id}/json`);
  t.like(document, { id, author: 'me', config: { Cmd: ['sh'] }, os: 'linux', created: '2020-01-01T00:00:00Z' });
  t.is(String(members.get(`${id}/VERSION`)?.text), '1.0');
  t.deepEqual(members.get(`${id}/layer.tar`)?.text, top);
  t.like(json(members, `${document.parent}/json`), { id: document.parent });
  t.deepEqual(members.get(`${document.parent}/layer.tar`)?.text, base);
  t.regex(id, /^[0-9a-f]{64}$/);
  t.deepEqual(harness.eventSummaries(), [`save ${image.id}`]);
  t.is(harness.storage.open.size, 0);
});

test('a saved archive has manifest.json and the exact configuration', async (t) => {
  const { saved } = await saving(t);
  const members = await saved('web:1');
  const [item] = json(members, 'manifest.json');
  t.deepEqual(item.RepoTags, ['web:1']);
  t.is(item.Config, `${image.id.slice(7)}.json`);
  t.is(String(members.get(item.Config)?.text), image.configuration);
  t.deepEqual(
    item.Layers.map((name: string) => members.get(name)?.text),
    [base, top],
  );
});

test('a saved archive is an OCI image layout with full names', async (t) => {
  const { saved } = await saving(t);
  const members = await saved('web', 'reg.test:5000/team/web:3');
  const { manifests } = json(members, 'index.json');
  t.deepEqual(
    manifests.map((descriptor: { annotations: Record<string, string> }) => Object.values(descriptor.annotations)),
    [
      ['reg.test:5000/team/web:3', '3'],
      ['docker.io/library/web:1', '1'],
      ['docker.io/library/web:2', '2'],
    ],
  );
  const blob = (digest: string): Buffer => {
    const member = members.get(`blobs/${digest.replace(':', '/')}`);
    const bytes = member?.type === 'link' ? members.get(member.target ?? '')?.text : member?.text;
    t.is(digestOf(bytes ?? ''), digest);
    return bytes ?? Buffer.alloc(0);
  };
  const manifest = JSON.parse(String(blob(manifests[0].digest)));
  t.is(String(blob(manifest.config.digest)), image.configuration);
  for (const { digest, size } of manifest.layers) t.is(blob(digest).length, size);
  t.is(json(members, 'oci-layout').imageLayoutVersion, '1.0.0');
});

test('a repository is saved with all its tags only', async (t) => {
  const { saved } = await saving(t);
  const members = await saved('web');
  t.deepEqual(Object.keys(json(members, 'repositories').web), ['1', '2']);
  t.deepEqual(json(members, 'manifest.json')[0].RepoTags, ['web:1', 'web:2']);
  t.is(json(members, 'manifest.json').length, 1);
});

for (const name of [image.id, image.id.slice(7), image.id.slice(7, 19)]) {
  test(`an image saved by ${name.length} letters of its id has no names`, async (t) => {
    const { saved } = await saving(t);
    const members = await saved(name);
    t.false(members.has('repositories'));
    t.is(json(members, 'manifest.json')[0].RepoTags, null);
  });
}

test('several images share their layers', async (t) => {
  const { saved } = await saving(t);
  const members = await saved('web:1', 'other:x', 'web:2', 'other:x');
  t.is(json(members, 'manifest.json').length, 2);
  t.is([...members.values()].filter(({ type, text }) => type === 'file' && text.equals(base)).length, 1);
  const { other: tags } = json(members, 'repositories');
  t.like(members.get(`${tags.x}/layer.tar`), { type: 'symlink' });
});

test('a saved archive is loaded from each of its forms', async (t) => {
  const { save, saved } = await saving(t);
  const archive = await save('web', 'other');
  const members = await saved('web', 'other');
  const without = async (...names: string[]): Promise<Buffer> => {
    const kept = [...members].filter(([name]) => !names.includes(name));
    return tarOf(
      Object.fromEntries(
        kept.map(([name, { type, text, target }]) => {
          if (type === 'file' || type === 'directory') return [name, text];
          return [name, type === 'link' ? (members.get(target ?? '')?.text ?? '') : `-> ${target}`];
        }),
      ),
    );
  };
  const archives = { manifest: archive, oci: await without('manifest.json') };
  for (const [form, bytes] of Object.entries(archives)) {
    const harness = await imageHarness(t);
    await harness.load(bytes);
    t.is(harness.area.service.get('web:2').id, image.id, form);
    t.is(harness.area.service.get('other:x').id, other.id, form);
  }
  const harness = await imageHarness(t);
  await harness.load(await without('manifest.json', 'index.json', 'oci-layout'));
  t.like(harness.area.service.get('web:1'), { config: { Cmd: ['sh'], Labels: { a: '1' } }, tags: ['web:1', 'web:2'] });
  t.deepEqual(harness.area.store.resolve('web:1').configuration.rootfs.diff_ids, [digestOf(base), digestOf(top)]);
});

test('equal images make equal archives', async (t) => {
  const { save } = await saving(t);
  t.deepEqual(await save('web', 'other'), await save('web', 'other'));
});

test('an image without layers is saved and loaded', async (t) => {
  const { harness, save } = await saving(t);
  const empty = imageOf([], { config: { Cmd: ['x'] } });
  await harness.load(await manifestArchive([{ ...empty, tags: ['empty:1'] }]));
  const archive = await save('empty:1');
  const fresh = await imageHarness(t);
  t.deepEqual(await fresh.load(archive), ['loaded empty:1']);
  t.is(fresh.area.service.get('empty:1').id, empty.id);
});

test('an absent image is refused before anything is written', async (t) => {
  const { harness } = await saving(t);
  const save = (...names: string[]) => harness.area.saveImages.save(names);
  t.like(
    t.throws(() => save('web:1', 'gone')),
    { kind: 'not-found', message: 'No such image: gone:latest' },
  );
  t.like(
    t.throws(() => save('web:9')),
    { kind: 'not-found', message: 'No such image: web:9' },
  );
});

test('an image removed during a save is saved completely and then collected', async (t) => {
  const { harness } = await saving(t);
  await harness.remove('other:x');
  const archive = harness.area.saveImages.save(['web']);
  await harness.remove(image.id, { force: true });
  t.is(harness.storage.stored.size, 2);
  const members = await membersOf(await buffer(archive));
  t.is(json(members, 'manifest.json').length, 1);
  while (harness.storage.stored.size > 0) await new Promise(setImmediate);
  t.deepEqual(await harness.stored(), nothingStored);
});

test('a disconnecting client ends the reading of layers', async (t) => {
  const { harness } = await saving(t);
  const archive = harness.area.saveImages.save(['web']);
  for await (const piece of archive) {
    if (harness.storage.open.size > 0 && (piece as Buffer).length > 512) break;
  }
  while (harness.storage.open.size > 0) await new Promise(setImmediate);
  t.true(archive.destroyed);
});

test('a layer without a recorded size is measured first', async (t) => {
  const { harness, saved } = await saving(t);
  const [layer] = [...harness.area.store.layers()];
  const { tarSize: _unknown, ...record } = layer ?? t.fail();
  await harness.area.store.add({ layers: [record as never] });
  const members = await saved('web:1');
  t.deepEqual(
    json(members, 'manifest.json')[0].Layers.map((name: string) => members.get(name)?.text),
    [base, top],
  );
});

test('a layer of another size than recorded aborts the archive', async (t) => {
  const { harness, save } = await saving(t);
  harness.storage.layerTar = async () => Readable.from([base.subarray(0, 512)]);
  await t.throwsAsync(save('web:1'), { message: /layer\.tar has fewer than its \d+ bytes/ });
});

test('a legacy archive makes the same image after a save and a load', async (t) => {
  const { harness, save } = await saving(t);
  await harness.load(await legacyArchive([{ id: 'a'.repeat(64), tar: base }], { leg: { old: 'a'.repeat(64) } }));
  const { id } = harness.area.service.get('leg:old');
  const fresh = await imageHarness(t);
  await fresh.load(await save('leg'));
  t.is(fresh.area.service.get('leg:old').id, id);
});

test('an image keeps its parent through save and load when both are saved, in any order', async (t) => {
  const { harness, save } = await saving(t);
  const child = await harness.area.exchange.create({
    parent: image.id,
    config: { Cmd: ['x'] },
    createdBy: 'step',
    reference: 'child:1',
  });
  for (const names of [
    ['child:1', 'web:1'],
    ['web:1', 'child:1'],
  ]) {
    const fresh = await imageHarness(t);
    await fresh.load(await save(...names));
    t.is(fresh.area.store.byId(child)?.record.parent, image.id);
    t.deepEqual(fresh.area.exchange.childrenOf(image.id), [], 'the cache of builds does not believe it');
    await fresh.remove('web:1', { force: true }).catch(() => undefined);
  }
  const alone = await imageHarness(t);
  await alone.load(await save('child:1'));
  t.is(alone.area.store.byId(child)?.record.parent, undefined);
});

test('an archive cannot give an image a parent whose layers it does not have, or itself', async (t) => {
  const harness = await imageHarness(t);
  const document = JSON.stringify([
    { Config: 'a.json', RepoTags: ['a:1'], Layers: ['base.tar'], Parent: image.id },
    { Config: 'b.json', RepoTags: ['b:1'], Layers: ['base.tar', 'top.tar'], Parent: image.id },
  ]);
  const members = { 'a.json': other.configuration, 'b.json': image.configuration, 'base.tar': base, 'top.tar': top };
  await harness.load(await tarOf({ ...members, 'manifest.json': document }));
  for (const { record } of harness.area.store.images()) t.is(record.parent, undefined, record.id);
});
