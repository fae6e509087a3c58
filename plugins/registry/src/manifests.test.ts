import test from 'ava';
import { idOf, pull, startPuller } from './testing/harness.js';
import { digestOf, makeContent, startStandIn, types } from './testing/stand-in.js';

const image = await makeContent(['one', 'two']);
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const entry = (os: string, cpu: string, bytes: Buffer) => ({
  mediaType: types.manifest,
  digest: digestOf(bytes),
  size: bytes.length,
  platform: { os, architecture: cpu },
});
const json = (value: object) => Buffer.from(JSON.stringify(value));

test('lists and indexes lead to the manifest for this machine, and the image keeps the digest of the list', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t);
  registry.serveImage('plain', image);
  for (const type of [types.list, types.ociIndex]) {
    const list = json({
      schemaVersion: 2,
      mediaType: type,
      manifests: [
        entry('linux', 's390x', Buffer.from('another')),
        entry('unknown', 'unknown', Buffer.from('attestation')),
        entry('linux', architecture, image.manifest),
      ],
    });
    registry.serve('many', list, type);
    const pulled = await pull(engine, { fromImage: `${registry.host}/app:many` });
    t.is(pulled.error, undefined);
    t.true(pulled.texts.includes(`Digest: ${digestOf(list)}`));
    t.is(await idOf(engine, `${registry.host}/app@${digestOf(list)}`), image.id);
  }
});

test('an index that says nothing of platforms leads to its manifest', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t);
  registry.serveImage('plain', image);
  const { platform: _, ...bare } = entry('', '', image.manifest);
  registry.serve('any', json({ schemaVersion: 2, manifests: [bare] }), types.ociIndex);
  t.is((await pull(engine, { fromImage: `${registry.host}/app:any` })).error, undefined);
  t.is(await idOf(engine, `${registry.host}/app:any`), image.id);
});

test('a list with nothing for this machine says so', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t);
  const list = json({ schemaVersion: 2, manifests: [entry('linux', 's390x', image.manifest)] });
  registry.serve('far', list, types.list);
  t.like(await pull(engine, { fromImage: `${registry.host}/app:far` }), {
    status: 404,
    error: `no matching manifest for linux/${architecture} in the manifest list entries`,
  });
});

test('OCI manifests are read, with and without a media type of their own', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t);
  registry.serveImage('x', image);
  const { mediaType: _, ...bare } = JSON.parse(image.manifest.toString());
  registry.serve('oci', json(bare), types.ociManifest);
  t.is((await pull(engine, { fromImage: `${registry.host}/app:oci` })).error, undefined);
  t.is(await idOf(engine, `${registry.host}/app:oci`), image.id);
});

test('manifests of another schema, of two natures, for something else or too large are refused', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t);
  const { config, ...rest } = JSON.parse(image.manifest.toString());
  const cases: readonly (readonly [string, Buffer, string, RegExp])[] = [
    [
      'one',
      json({ schemaVersion: 1, fsLayers: [] }),
      'application/json',
      /has schema version 1, which is not supported/,
    ],
    [
      'both',
      json({ ...rest, config, mediaType: undefined, manifests: [] }),
      types.manifest,
      /both a list and an image/,
    ],
    ['other', image.manifest, types.list, /says that it is .*manifest\.v2.*, but was served as .*list\.v2/],
    [
      'plugin',
      json({ ...rest, config: { ...config, mediaType: 'application/vnd.docker.plugin.v1+json' } }),
      types.manifest,
      /Encountered remote "application\/vnd.docker.plugin.v1\+json"\(plugin config\) when fetching/,
    ],
    ['large', Buffer.alloc(5 * 2 ** 20, ' '), types.manifest, /has more than 4194304 bytes/],
    ['size', json({ ...rest, config: { ...config, size: -1 } }), types.manifest, /has no valid config/],
    ['text', Buffer.from('<html>'), 'text/html', /is not JSON/],
  ];
  for (const [tag, bytes, type, words] of cases) {
    registry.serve(tag, bytes, type);
    t.regex((await pull(engine, { fromImage: `${registry.host}/app:${tag}` })).error ?? '', words, tag);
  }
});

test('a manifest that is not what its digest says is refused', async (t) => {
  const engine = await startPuller(t);
  const other = await makeContent(['other']);
  const wanted = digestOf(image.manifest);
  const registry = await startStandIn(t, (request, response) => {
    if (!request.url?.endsWith(wanted)) return false;
    response.setHeader('Content-Type', types.manifest);
    response.end(other.manifest);
    return true;
  });
  const { error } = await pull(engine, { fromImage: `${registry.host}/app@${wanted}` });
  t.regex(error ?? '', /^manifest verification failed for digest/);
  const unchecked = await pull(engine, { fromImage: `${registry.host}/app@sha512:${'0'.repeat(128)}` });
  t.like(unchecked, { status: 400 });
  t.regex(unchecked.error ?? '', /only sha256 can be checked/);
});

test('addresses of layers outside of the registry are not followed', async (t) => {
  const engine = await startPuller(t);
  const elsewhere = await startStandIn(t);
  const registry = await startStandIn(t);
  const manifest = JSON.parse(image.manifest.toString());
  const [first, ...others] = manifest.layers;
  for (const blob of [image.configuration, ...image.layers]) registry.blob(blob);
  const foreign = { ...first, digest: digestOf('foreign'), urls: [`http://${elsewhere.host}/layer`] };
  registry.serve('x', json({ ...manifest, layers: [foreign, ...others] }));
  const { error } = await pull(engine, { fromImage: `${registry.host}/app:x` });
  t.regex(error ?? '', /kept outside of the registry, at addresses that are not followed/);
  t.deepEqual(elsewhere.asked, []);
});

test('all tags are read page by page, and only from the registry itself', async (t) => {
  const engine = await startPuller(t);
  let next = '</v2/app/tags/list?last=a>; rel="next"';
  const registry = await startStandIn(t, (request, response) => {
    if (!request.url?.startsWith('/v2/app/tags/list')) return false;
    const isFirst = !request.url.includes('last=');
    if (isFirst) response.setHeader('Link', next);
    response.end(JSON.stringify({ tags: [isFirst ? 'a' : 'b'] }));
    return true;
  });
  registry.serveImage('a', image);
  registry.serveImage('b', await makeContent(['three']));
  t.is((await pull(engine, { fromImage: `${registry.host}/app` })).error, undefined);
  t.is(await idOf(engine, `${registry.host}/app:a`), image.id);
  t.regex(await idOf(engine, `${registry.host}/app:b`), /^sha256:/);
  next = '<http://127.0.0.2:1/more>; rel="next"';
  t.regex(
    (await pull(engine, { fromImage: `${registry.host}/app` })).error ?? '',
    /sends to http:\/\/127.0.0.2:1 for more/,
  );
});

test('a platform chooses among the manifests of a list, and a single one for another is pulled with a warning', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t);
  const other = await makeContent(['another']);
  registry.serveImage('plain', image);
  registry.serveImage('other', other);
  const list = json({
    schemaVersion: 2,
    mediaType: types.list,
    manifests: [entry('linux', architecture, image.manifest), entry('linux', 's390x', other.manifest)],
  });
  registry.serve('many', list, types.list);
  const from = (tag: string, platform: string) => pull(engine, { fromImage: `${registry.host}/app:${tag}`, platform });
  const name = `${registry.host}/app:many`;
  t.is((await from('many', `linux/${architecture}`)).error, undefined);
  t.is(await idOf(engine, name), image.id);
  t.regex(String((await from('many', 'linux/ppc64le')).error), /no matching manifest for linux\/ppc64le/);
  t.is(await idOf(engine, name), image.id, 'a refused pull changes nothing');
  const warning = (tag: string) =>
    `WARNING: image with reference ${registry.host}/app:${tag} was found but its platform (linux/${architecture}) ` +
    'does not match the specified platform (linux/s390x)';
  const mislabelled = await from('many', 'linux/s390x');
  t.is(mislabelled.lines.at(-1)?.status, warning('many'), 'the list leads to it, and its configuration says otherwise');
  const plain = await from('plain', 'linux/s390x');
  t.is(plain.lines.at(-1)?.status, warning('plain'));
  t.is(await idOf(engine, `${registry.host}/app:plain`), image.id);
});
