import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { TestEngine } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { auth, pull, startPuller } from './testing/harness.js';
import { digestOf, type Hook, makeContent, startStandIn, types } from './testing/stand-in.js';

const image = await makeContent(['one']);
const [layer = Buffer.alloc(0)] = image.layers;
const layerPath = `/v2/app/blobs/${digestOf(layer)}`;
const manifest = JSON.parse(image.manifest.toString());
const json = (value: object) => Buffer.from(JSON.stringify(value));

/** What a refused pull may have left: no image, no layer, no piece of a download. */
async function refusesEverything(t: ExecutionContext, engine: TestEngine): Promise<void> {
  t.deepEqual((await engine.ask('GET', '/images/json?all=1')).json(), []);
  const left = await readdir(path.join(engine.directory, 'data/plugins/registry/blobs'));
  t.deepEqual(
    left.filter((name) => !name.endsWith('.part')),
    [],
  );
}

async function hostile(t: ExecutionContext, hook?: Hook, config: object = {}) {
  const engine = await startPuller(t, { attempts: 2, ...config });
  const registry = await startStandIn(t, hook);
  registry.serveImage('x', image);
  const errorOf = async (tag = 'x', headers: Record<string, string> = {}): Promise<string> =>
    (await pull(engine, { fromImage: `${registry.host}/app:${tag}` }, headers)).error ?? '';
  return { engine, registry, errorOf };
}

for (const digest of [
  'sha256:../../../../etc/passwd',
  '../../../../etc/passwd',
  `sha256:${'a'.repeat(63)}/`,
  `sha256:${'A'.repeat(64)}`,
  `sha256:${'a'.repeat(64)}\n`,
  `sha512:${'a'.repeat(128)}`,
  `sha256:${'a'.repeat(64)}?x=/`,
  { toString: 'sha256' },
]) {
  test(`a manifest with the digest ${JSON.stringify(digest)} is refused, and nothing is asked for by it`, async (t) => {
    const { engine, registry, errorOf } = await hostile(t);
    const bad = { ...manifest.config, digest };
    registry.serve('config', json({ ...manifest, config: bad }));
    registry.serve('layers', json({ ...manifest, layers: [bad] }));
    registry.serve('list', json({ schemaVersion: 2, mediaType: types.list, manifests: [bad] }), types.list);
    t.regex(await errorOf('config'), /has no valid config/);
    t.regex(await errorOf('layers'), /has no valid layers/);
    t.regex(await errorOf('list'), /has no valid manifests/);
    t.deepEqual(
      registry.asked.filter((line) => line.includes('/blobs/')),
      [],
    );
    await refusesEverything(t, engine);
  });
}

test('a manifest of ten thousand layers is refused before any of them is fetched', async (t) => {
  const { engine, registry, errorOf } = await hostile(t);
  const layers = Array.from({ length: 10_000 }, (_, index) => ({
    ...manifest.layers[0],
    digest: digestOf(String(index)),
  }));
  registry.serve('many', json({ ...manifest, layers }));
  t.regex(await errorOf('many'), /has 10000 layers, more than/);
  t.deepEqual(
    registry.asked.filter((line) => line.includes('/blobs/')),
    [],
  );
  await refusesEverything(t, engine);
});

test('a list of ten thousand manifests for other machines leads nowhere, with one request', async (t) => {
  const { registry, errorOf } = await hostile(t);
  const platform = { os: 'plan9', architecture: 'z80' };
  const manifests = Array.from({ length: 10_000 }, (_, index) => ({
    ...manifest.config,
    platform,
    digest: digestOf(String(index)),
  }));
  registry.serve('many', json({ schemaVersion: 2, mediaType: types.list, manifests }), types.list);
  t.regex(await errorOf('many'), /no matching manifest/);
  t.is(registry.asked.filter((line) => line.includes('/manifests/')).length, 1);
});

test('lists that lead to themselves end', async (t) => {
  const lists: Buffer[] = [];
  const { registry, errorOf } = await hostile(t);
  for (let depth = 0, next = image.manifest; depth < 5; depth += 1) {
    const entry = { mediaType: types.list, digest: digestOf(next), size: next.length };
    next = json({ schemaVersion: 2, mediaType: types.list, manifests: [entry] });
    lists.push(next);
    registry.serve(`depth${depth}`, next, types.list);
  }
  t.regex(await errorOf('depth4'), /is a list of lists of lists/);
});

for (const [name, bytes] of [
  ['longer', Buffer.concat([layer, Buffer.alloc(100_000, 1)])],
  ['shorter', layer.subarray(0, layer.length - 10)],
  ['other', Buffer.from(layer).fill(7, 5, 20)],
] as const) {
  test(`a layer that is ${name} than declared, without a length in its head, is refused and not kept`, async (t) => {
    const { engine, errorOf } = await hostile(t, (request, response) => {
      if (request.url !== layerPath) return false;
      response.writeHead(200);
      response.end(bytes);
      return true;
    });
    t.regex(await errorOf(), /verification failed|bytes|ended|broke/);
    await refusesEverything(t, engine);
  });
}

test('a configuration with another digest than its manifest names is refused', async (t) => {
  const { engine, errorOf } = await hostile(t, (request, response) => {
    if (request.url !== `/v2/app/blobs/${image.id}`) return false;
    response.end(Buffer.from(image.configuration.toString().replace('amd64', 'arm64')));
    return true;
  });
  t.is(await errorOf(), `image config verification failed for digest ${image.id}`);
  await refusesEverything(t, engine);
});

for (const what of ['manifests', 'blobs']) {
  test(`a registry that redirects ${what} for ever is left`, async (t) => {
    let hop = 0;
    const { registry, errorOf } = await hostile(t, (request, response) => {
      if (!request.url?.includes(`/${what}/`)) return false;
      hop += 1;
      response.writeHead(307, { Location: `${request.url.replace(/\?.*/, '')}?hop=${hop}` }).end();
      return true;
    });
    t.regex(await errorOf(), /sent on too often/);
    t.true(registry.asked.length < 100);
  });
}

const challenge = (header: string): Hook => {
  return (_request, response) => {
    response.writeHead(401, { 'WWW-Authenticate': header }).end('{}');
    return true;
  };
};
const credentials = auth({ username: 'ann', password: 's3cret-pw' });

for (const [header, words] of [
  ['Bearer', /realm/],
  ['Bearer realm="file:///etc/passwd"', /is not an HTTP address/],
  ['Bearer realm="//host"', /is not an HTTP address/],
  ['Bearer realm="http://169.254.169.254/latest"', /which is not secure/],
  ['Bearer realm="http://registry.example@10.0.0.1/"', /which is not secure/],
  [`Bearer ${'realm="'.repeat(1000)}`, /./],
  [`${'Basic '.repeat(1500)}`, /./],
  [`Bearer realm="${'\\"'.repeat(3000)}`, /./],
  ['Negotiate, NTLM, Digest realm="x"', /unauthorized|401/i],
] as const) {
  test(`the challenge ${JSON.stringify(header.slice(0, 48))} is refused, and no credentials leave`, async (t) => {
    const { registry, errorOf } = await hostile(t, challenge(header));
    t.regex(await errorOf('x', credentials), words);
    const sent = registry.headers.filter(({ authorization }) => authorization !== undefined);
    // A registry that asks for an account by Basic gets it; no other challenge makes the engine present it here.
    t.true(header.startsWith('Basic') || sent.length === 0);
    t.true(registry.asked.length < 20);
  });
}

test('a token that would end the header it is sent in is refused', async (t) => {
  const { registry, errorOf } = await hostile(t, (request, response) => {
    if (request.url?.startsWith('/token')) {
      response.end(JSON.stringify({ token: 'x\r\nX-Injected: 1' }));
      return true;
    }
    response.writeHead(401, { 'WWW-Authenticate': `Bearer realm="http://${request.headers.host}/token"` }).end();
    return true;
  });
  t.regex(await errorOf('x', credentials), /did not include a token/);
  t.true(registry.headers.every((headers) => headers['x-injected'] === undefined));
});
