import test from 'ava';
import { account, freePort, startDistribution } from './testing/distribution.js';
import { auth, idOf, makeImage, pull, push, remove, startPuller } from './testing/harness.js';

test('a pushed image is pulled by tag, by digest and with all tags, with the events clients expect', async (t) => {
  const engine = await startPuller(t);
  const { host } = await startDistribution(t);
  const name = `${host}/team/app`;
  const id = await makeImage(engine, name, 'v1');
  const pushed = await push(engine, name, 'v1');
  t.is(pushed.texts[0], `The push refers to repository [${name}]`);
  t.regex(pushed.texts[1] ?? '', /^[0-9a-f]{12}: Preparing$/);
  t.true(pushed.texts.some((text) => /: Pushed$/.test(text)));
  const digest = pushed.lines.at(-1)?.aux?.Digest ?? '';
  t.regex(pushed.texts.at(-2) ?? '', new RegExp(`^v1: digest: ${digest} size: \\d+$`));

  await remove(engine, id);
  const pulled = await pull(engine, { fromImage: name, tag: 'v1' });
  t.is(pulled.status, 200);
  t.is(pulled.texts[0], 'v1: Pulling from team/app');
  for (const step of ['Pulling fs layer', 'Downloading', 'Verifying Checksum', 'Download complete', 'Pull complete']) {
    t.true(
      pulled.texts.some((text) => text.endsWith(`: ${step}`)),
      step,
    );
  }
  t.deepEqual(pulled.texts.slice(-2), [`Digest: ${digest}`, `Status: Downloaded newer image for ${name}:v1`]);
  t.is(await idOf(engine, `${name}:v1`), id);
  t.true(engine.eventSummaries().includes(`image push ${name}:v1`));
  t.is(engine.eventSummaries().at(-1), `image pull ${name}:v1`);

  const again = await pull(engine, { fromImage: name, tag: 'v1' });
  t.deepEqual(again.texts, [
    'v1: Pulling from team/app',
    `Digest: ${digest}`,
    `Status: Image is up to date for ${name}:v1`,
  ]);

  await remove(engine, id);
  await pull(engine, { fromImage: name, tag: digest });
  t.is(await idOf(engine, `${name}@${digest}`), id);

  await makeImage(engine, name, 'v2');
  await push(engine, name, 'v2');
  for (const tag of ['v1', 'v2']) await remove(engine, `${name}:${tag}`);
  const all = await pull(engine, { fromImage: name, tag: '' });
  t.is(all.texts.at(-1), `Status: Downloaded newer image for ${name}`);
  t.is(await idOf(engine, `${name}:v1`), id);
  t.regex(await idOf(engine, `${name}:v2`), /^sha256:/);
});

test('a name is looked up at its registry without a pull', async (t) => {
  const engine = await startPuller(t);
  const { host } = await startDistribution(t);
  const name = `${host}/team/app`;
  const id = await makeImage(engine, name, 'v1');
  const pushed = await push(engine, name, 'v1');
  const digest = pushed.lines.at(-1)?.aux?.Digest ?? '';
  await remove(engine, id);
  for (const reference of [`${name}:v1`, `${name}@${digest}`]) {
    const found = (await engine.ask('GET', `/distribution/${reference}/json`)).json<{
      Descriptor: { mediaType: string; digest: string; size: number };
      Platforms: object[];
    }>();
    t.is(found.Descriptor.digest, digest);
    t.is(found.Descriptor.mediaType, 'application/vnd.docker.distribution.manifest.v2+json');
    t.true(found.Descriptor.size > 0);
    t.like(found.Platforms, [{ os: 'linux' }]);
  }
  t.is((await engine.ask('GET', `/images/${name}:v1/json`)).status, 404);
  t.is((await engine.ask('GET', `/distribution/${name}:absent/json`)).status, 404);
  t.is((await engine.ask('GET', '/distribution/UPPER/json')).status, 400);
});

test('a second push sends nothing, and another repository takes the layers over', async (t) => {
  const engine = await startPuller(t);
  const { host } = await startDistribution(t);
  const id = await makeImage(engine, `${host}/one`);
  await push(engine, `${host}/one`, 'latest');
  t.true((await push(engine, `${host}/one`, 'latest')).texts.some((text) => text.endsWith(': Layer already exists')));
  await engine.ask('POST', `/images/${id}/tag?repo=${host}/two`);
  t.true((await push(engine, `${host}/two`, 'latest')).texts.some((text) => text.endsWith(': Mounted from one')));
});

test('a layer is uploaded in pieces where so configured', async (t) => {
  const engine = await startPuller(t, { uploadChunkBytes: 50 });
  const { host } = await startDistribution(t);
  const id = await makeImage(engine, `${host}/pieces`);
  t.is((await push(engine, `${host}/pieces`, 'latest')).error, undefined);
  await remove(engine, id);
  t.is((await pull(engine, { fromImage: `${host}/pieces:latest` })).error, undefined);
  t.is(await idOf(engine, `${host}/pieces:latest`), id);
});

test('a registry with passwords serves clients that send one', async (t) => {
  const engine = await startPuller(t);
  const { host } = await startDistribution(t, { basic: true });
  const name = `${host}/private`;
  const id = await makeImage(engine, name);
  t.regex((await push(engine, name, 'latest')).error ?? '', /^unauthorized: authentication required$/);
  t.is((await push(engine, name, 'latest', auth(account))).error, undefined);
  await remove(engine, id);
  const refused = await pull(engine, { fromImage: name, tag: 'latest' });
  t.is(refused.status, 404);
  t.regex(refused.error ?? '', /^pull access denied for .*, repository does not exist or may require 'docker login'/);
  t.is((await pull(engine, { fromImage: name, tag: 'latest' }, auth(account))).error, undefined);
  t.is(await idOf(engine, name), id);

  const login = (password: string) =>
    engine.ask('POST', '/auth', { body: { username: account.username, password, serveraddress: host } });
  t.deepEqual((await login(account.password)).json(), { Status: 'Login Succeeded', IdentityToken: '' });
  const wrong = await login('wrong');
  t.is(wrong.status, 500);
  t.regex(String(wrong.json().message), /^login attempt to http:.* failed with status: 401/);
});

test('what a registry does not have, and a registry that is not there, are answered before the stream', async (t) => {
  const engine = await startPuller(t);
  const { host } = await startDistribution(t);
  const name = `${host}/none`;
  t.like(await pull(engine, { fromImage: name, tag: 'x' }), {
    status: 404,
    error: `manifest for ${name}:x not found: manifest unknown: manifest unknown`,
  });
  t.like(await pull(engine, { fromImage: name, tag: '' }), {
    status: 404,
    error: `repository ${name} not found: name unknown: repository name not known to registry`,
  });
  const dead = await pull(engine, { fromImage: `127.0.0.1:${await freePort()}/x`, tag: 'latest' });
  t.is(dead.status, 500);
  t.regex(dead.error ?? '', /^GET "http:.*ECONNREFUSED/);
  const nowhere = await pull(engine, { fromImage: 'plain', tag: 'latest' });
  t.is(nowhere.status, 500);
  t.regex(nowhere.error ?? '', /names no registry.*configure "defaultRegistry"/);
  t.is((await push(engine, `${host}/none`, 'x')).status, 404);
});

test('names without a registry belong to the configured one, and its catalog is searched', async (t) => {
  const { host } = await startDistribution(t);
  const engine = await startPuller(t, { defaultRegistry: host, defaultNamespace: 'library' });
  const id = await makeImage(engine, 'tool');
  const pushed = await push(engine, 'tool', 'latest');
  t.is(pushed.texts[0], `The push refers to repository [${host}/library/tool]`);
  await remove(engine, id);
  t.is((await pull(engine, { fromImage: 'tool', tag: 'latest' })).texts[0], 'latest: Pulling from library/tool');
  t.is(await idOf(engine, 'tool'), id);
  const found = (await engine.ask('GET', '/images/search?term=too')).json<{ name: string }[]>();
  t.deepEqual(
    found.map(({ name }) => name),
    ['library/tool'],
  );
});
