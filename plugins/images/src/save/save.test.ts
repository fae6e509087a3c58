import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { extract } from 'tar-stream';
import { digestOf, imageOf, legacyArchive, manifestArchive, tarOf } from '../testing/archives.js';
import { imageBench, nothingLeft } from '../testing/bench.js';

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

async function saving(t: Parameters<typeof imageBench>[0]) {
  const bench = await imageBench(t);
  await bench.load(
    await manifestArchive([
      { ...image, tags: ['web:1', 'web:2', 'reg.test:5000/team/web:3'] },
      { ...other, tags: ['other:x'] },
    ]),
  );
  bench.events.length = 0;
  const save = (...names: string[]): Promise<Buffer> => buffer(bench.area.saver.save(names));
  const saved = async (...names: string[]) => membersOf(await save(...names));
  return { bench, save, saved };
}

const json = (members: Map<string, Read>, name: string) => JSON.parse(String(members.get(name)?.text));

test('a saved tag has the form of the specification: a directory for each layer, and repositories', async (t) => {
  const { saved, bench } = await saving(t);
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
  t.deepEqual(bench.eventSummaries(), [`save ${image.id}`]);
  t.is(bench.storage.open.size, 0);
});

test('beside it are manifest.json and the exact configuration', async (t) => {
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

test('it is an OCI image layout too, with names spelt out', async (t) => {
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

test('a repository is saved with all its tags, and nothing of others', async (t) => {
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

test('what is saved can be loaded, in one form as in the others', async (t) => {
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
    const bench = await imageBench(t);
    await bench.load(bytes);
    t.is(bench.area.service.get('web:2').id, image.id, form);
    t.is(bench.area.service.get('other:x').id, other.id, form);
  }
  const bench = await imageBench(t);
  await bench.load(await without('manifest.json', 'index.json', 'oci-layout'));
  t.like(bench.area.service.get('web:1'), { config: { Cmd: ['sh'], Labels: { a: '1' } }, tags: ['web:1', 'web:2'] });
  t.deepEqual(bench.area.store.resolve('web:1').configuration.rootfs.diff_ids, [digestOf(base), digestOf(top)]);
});

test('the same images make the same archive', async (t) => {
  const { save } = await saving(t);
  t.deepEqual(await save('web', 'other'), await save('web', 'other'));
});

test('an image without layers is saved and comes back', async (t) => {
  const { bench, save } = await saving(t);
  const empty = imageOf([], { config: { Cmd: ['x'] } });
  await bench.load(await manifestArchive([{ ...empty, tags: ['empty:1'] }]));
  const archive = await save('empty:1');
  const fresh = await imageBench(t);
  t.deepEqual(await fresh.load(archive), ['loaded empty:1']);
  t.is(fresh.area.service.get('empty:1').id, empty.id);
});

test('what is not there is refused before anything is written', async (t) => {
  const { bench } = await saving(t);
  const save = (...names: string[]) => bench.area.saver.save(names);
  t.like(
    t.throws(() => save('web:1', 'gone')),
    { kind: 'not-found', message: 'No such image: gone:latest' },
  );
  t.like(
    t.throws(() => save('web:9')),
    { kind: 'not-found', message: 'No such image: web:9' },
  );
});

test('an image that is removed while it is saved is saved whole, and goes then', async (t) => {
  const { bench } = await saving(t);
  await bench.remove('other:x');
  const archive = bench.area.saver.save(['web']);
  await bench.remove(image.id, { force: true });
  t.is(bench.storage.stored.size, 2);
  const members = await membersOf(await buffer(archive));
  t.is(json(members, 'manifest.json').length, 1);
  while (bench.storage.stored.size > 0) await new Promise(setImmediate);
  t.deepEqual(await bench.left(), nothingLeft);
});

test('a client that leaves ends the reading of layers', async (t) => {
  const { bench } = await saving(t);
  const archive = bench.area.saver.save(['web']);
  for await (const piece of archive) {
    if (bench.storage.open.size > 0 && (piece as Buffer).length > 512) break;
  }
  while (bench.storage.open.size > 0) await new Promise(setImmediate);
  t.true(archive.destroyed);
});

test('a layer that came with an earlier version is measured first', async (t) => {
  const { bench, saved } = await saving(t);
  const [layer] = [...bench.area.store.layers()];
  const { tarSize: _unknown, ...record } = layer ?? t.fail();
  await bench.area.store.add({ layers: [record as never] });
  const members = await saved('web:1');
  t.deepEqual(
    json(members, 'manifest.json')[0].Layers.map((name: string) => members.get(name)?.text),
    [base, top],
  );
});

test('a layer that is not as long as it was breaks the archive off instead of garbling it', async (t) => {
  const { bench, save } = await saving(t);
  bench.storage.layerTar = async () => Readable.from([base.subarray(0, 512)]);
  await t.throwsAsync(save('web:1'), { message: /layer\.tar has fewer than its \d+ bytes/ });
});

test('an archive of the specification’s form makes the same image when it was saved and loaded again', async (t) => {
  const { bench, save } = await saving(t);
  await bench.load(await legacyArchive([{ id: 'a'.repeat(64), tar: base }], { leg: { old: 'a'.repeat(64) } }));
  const { id } = bench.area.service.get('leg:old');
  const fresh = await imageBench(t);
  await fresh.load(await save('leg'));
  t.is(fresh.area.service.get('leg:old').id, id);
});
