import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { version } from '@gantry/core';
import { progressItem } from '@gantry/core/http';
import engineApi from '@gantry/engine-api';
import { archive, state } from '@gantry/memory-drivers';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import test from 'ava';
import images from '../index.js';
import { ImageExchange, ImageService } from '../service.js';
import { digestOf, imageOf, type MadeImage, manifestArchive, tarOf } from '../testing/archives.js';
import { FakeStorage, fakeStorage } from '../testing/fake-storage.js';

const layer = await tarOf({ 'etc/x': 'hello' });
const image = imageOf([layer], {
  config: { Cmd: ['sh'], Labels: { a: '1' } },
  author: 'me',
  history: [
    { created: '2019-01-01T00:00:00Z', created_by: '/bin/sh -c #(nop) ADD file' },
    { created: '2020-01-01T00:00:00Z', created_by: '/bin/sh -c #(nop)  CMD ["sh"]', empty_layer: true, comment: 'c' },
  ],
});
const tar = { 'Content-Type': 'application/x-tar' };

async function start(t: TestOwner, ...tags: string[]): Promise<TestEngine> {
  const engine = await startEngine(t, [engineApi, archive, state, fakeStorage(new FakeStorage()), images]);
  if (tags.length > 0) await load(engine, image, tags);
  return engine;
}

const load = async (engine: TestEngine, made: MadeImage, tags: readonly string[], query = '') =>
  engine.ask('POST', `/images/load${query}`, { headers: tar, body: await manifestArchive([{ ...made, tags }]) });

const message = async (answer: ReturnType<TestEngine['ask']>) => {
  const { status, json } = await answer;
  return [status, json().message];
};

test('load streams its progress and the names of its images, a quiet one only the names', async (t) => {
  const engine = await start(t);
  const id = digestOf(layer).slice('sha256:'.length, 'sha256:'.length + 12);
  t.deepEqual((await load(engine, image, ['web:1', 'web:2'])).lines(), [
    progressItem('Loading layer', id, 0, layer.length),
    progressItem('Loading layer', id, layer.length, layer.length),
    { stream: 'Loaded image: web:1\n' },
    { stream: 'Loaded image: web:2\n' },
  ]);
  t.deepEqual((await load(engine, imageOf([layer]), [], '?quiet=1')).lines(), [
    { stream: `Loaded image ID: ${imageOf([layer]).id}\n` },
  ]);
});

test('images are saved by names with slashes, and several at once', async (t) => {
  const engine = await start(t, 'team/web:1', 'other:1');
  for (const path of ['/images/team/web:1/get', '/images/team%2Fweb/get', '/images/get?names=team/web&names=other:1']) {
    const saved = await engine.ask('GET', path);
    t.is(saved.status, 200, path);
    t.is(saved.headers['content-type'], 'application/x-tar');
    t.true(saved.bytes.includes(layer), path);
  }
  const gone = await engine.ask('GET', '/images/get?names=other:1&names=gone');
  t.is(gone.status, 500, 'the document lists 200 and 500');
  t.is(gone.json().message, 'No such image: gone:latest');
});

test('a load that fails reports its error in the stream', async (t) => {
  const engine = await start(t);
  const garbage = await engine.ask('POST', '/images/load', {
    headers: tar,
    body: Buffer.from('not a tar '.repeat(200)),
  });
  t.is(garbage.status, 200);
  t.regex(String(garbage.lines().at(-1)?.error), /^the archive cannot be read/);
  const endless = Readable.from(
    (function* () {
      for (let count = 0; count < 200; count += 1) yield Buffer.alloc(65_536, 'x');
    })(),
  );
  const cut = await engine.ask('POST', '/images/load', { headers: tar, body: endless });
  t.regex(String(cut.lines().at(-1)?.error), /^the archive cannot be read/);
  const wrong = { ...image, configuration: image.configuration.replace(digestOf(layer), digestOf('other')) };
  const answer = await load(engine, wrong, []);
  t.is(answer.status, 200);
  t.regex(String(answer.lines().at(-1)?.error), /^the layer has digest/);
});

test('an image is listed and inspected', async (t) => {
  const engine = await start(t, 'web:1');
  const [listed] = (await engine.ask('GET', '/images/json')).json<object[]>();
  t.deepEqual(listed, {
    Id: image.id,
    ParentId: '',
    RepoTags: ['web:1'],
    RepoDigests: [],
    Created: Date.parse('2020-01-01T00:00:00Z') / 1000,
    Size: 5,
    SharedSize: -1,
    Containers: 0,
    Labels: { a: '1' },
  });
  const [measured] = (await engine.ask('GET', '/images/json?shared-size=1')).json<object[]>();
  t.deepEqual(measured, { ...listed, SharedSize: 0 });
  for (const name of ['web:1', image.id, image.id.slice(7), image.id.slice(7, 19)]) {
    const inspected = (await engine.ask('GET', `/images/${name}/json`)).json();
    t.like(inspected, {
      Id: image.id,
      RepoTags: ['web:1'],
      RepoDigests: [],
      Parent: '',
      Created: '2020-01-01T00:00:00Z',
      Author: 'me',
      Architecture: 'amd64',
      Os: 'linux',
      Size: 5,
      RootFS: { Type: 'layers', Layers: [digestOf(layer)] },
      Config: { Cmd: ['sh'], Labels: { a: '1' }, OnBuild: null, Env: null },
    });
    t.like(inspected.GraphDriver, { Name: 'fake' });
  }
});

test('untagged images are listed without names', async (t) => {
  const engine = await start(t);
  await load(engine, image, []);
  for (const query of ['?digests=1', '']) {
    const [listed] = (await engine.ask('GET', `/images/json${query}`)).json<object[]>();
    t.like(listed, { RepoTags: [], RepoDigests: [] });
  }
  t.deepEqual((await engine.ask('GET', `/images/${image.id}/json`)).json().RepoTags, []);
});

test('the history is newest first, with the sizes of its layers', async (t) => {
  const engine = await start(t, 'web:1');
  t.deepEqual((await engine.ask('GET', '/images/web:1/history')).json(), [
    {
      Id: image.id,
      Created: Date.parse('2020-01-01T00:00:00Z') / 1000,
      CreatedBy: '/bin/sh -c #(nop)  CMD ["sh"]',
      Tags: ['web:1'],
      Size: 0,
      Comment: 'c',
    },
    {
      Id: '<missing>',
      Created: Date.parse('2019-01-01T00:00:00Z') / 1000,
      CreatedBy: '/bin/sh -c #(nop) ADD file',
      Tags: null,
      Size: 5,
      Comment: '',
    },
  ]);
});

test('references with slashes, ports and tags work in all routes', async (t) => {
  const engine = await start(t, 'web:1');
  const tagged = await engine.ask('POST', '/images/web:1/tag?repo=registry.example:5000/team/app&tag=v1');
  t.is(tagged.status, 201);
  t.is(tagged.text, '');
  const name = 'registry.example:5000/team/app:v1';
  t.is((await engine.ask('GET', `/images/${name}/json`)).json().Id, image.id);
  t.deepEqual((await engine.ask('DELETE', `/images/${name}`)).json(), [{ Untagged: name }]);
  t.deepEqual(engine.eventSummaries().slice(-2), [`image tag ${image.id}`, `image untag ${image.id}`]);
});

test('the list is filtered', async (t) => {
  const engine = await start(t, 'web:1');
  const ids = async (query: string) =>
    (await engine.ask('GET', `/images/json?${query}`)).json<{ Id: string }[]>().map(({ Id }) => Id);
  const filters = (value: object) => `filters=${encodeURIComponent(JSON.stringify(value))}`;
  t.deepEqual(await ids('filter=web'), [image.id]);
  t.deepEqual(await ids('filter=other'), []);
  t.deepEqual(await ids(filters({ label: ['a=1'] })), [image.id]);
  t.deepEqual(await ids(filters({ dangling: ['true'] })), []);
});

test('errors have the status and message that clients expect', async (t) => {
  const engine = await start(t, 'web:1', 'other:1');
  const absent = [404, 'No such image: gone:latest'];
  t.deepEqual(await message(engine.ask('GET', '/images/gone/json')), absent);
  t.deepEqual(await message(engine.ask('GET', '/images/gone/history')), [404, 'No such image: gone:latest']);
  t.deepEqual(await message(engine.ask('DELETE', '/images/gone')), [404, 'No such image: gone:latest']);
  t.deepEqual(await message(engine.ask('POST', '/images/gone/tag?repo=a')), [404, 'No such image: gone:latest']);
  for (const query of ['repo=UPPER', 'repo=a&tag=b%20c', 'repo=a//b', 'repo=']) {
    const [status, words] = await message(engine.ask('POST', `/images/web:1/tag?${query}`));
    t.is(status, 400, query);
    t.regex(String(words), /^invalid reference format/);
  }
  for (const [query, expected] of [
    ['repo=FOO/bar', /^invalid reference format: repository name must be lowercase/],
    ['repo=sha256:x', /^refusing to create an ambiguous tag using digest algorithm as name/],
    ['repo=sha256&tag=x', /^refusing to create an ambiguous tag using digest algorithm as name/],
  ] as const) {
    const [status, words] = await message(engine.ask('POST', `/images/web:1/tag?${query}`));
    t.is(status, 400, query);
    t.regex(String(words), expected);
  }
  const short = image.id.slice(7, 19);
  t.deepEqual(await message(engine.ask('DELETE', `/images/${short}`)), [
    409,
    `conflict: unable to delete ${short} (must be forced) - image is referenced in multiple repositories`,
  ]);
  const filters = encodeURIComponent('{"nosuch":["x"]}');
  t.deepEqual(await message(engine.ask('GET', `/images/json?filters=${filters}`)), [400, "Invalid filter 'nosuch'"]);
  t.is((await engine.ask('POST', '/images/create?fromImage=busybox')).status, 500);
});

test('an import applies changes, message and name, and answers the id', async (t) => {
  const engine = await start(t);
  const query = new URLSearchParams([
    ['fromSrc', '-'],
    ['repo', 'imp:r1'],
    ['message', 'mine'],
    ['changes', 'USER 7'],
    ['changes', 'CMD x'],
  ]);
  const answer = await engine.ask('POST', `/images/create?${query}`, { headers: tar, body: layer });
  t.is(answer.status, 200);
  const id = answer.lines().at(-1)?.status;
  const inspected = (await engine.ask('GET', '/images/imp:r1/json')).json();
  t.like(inspected, { Id: id, Comment: 'mine', Config: { User: '7', Cmd: ['/bin/sh', '-c', 'x'] } });
});

test('an invalid import answers 400', async (t) => {
  const engine = await start(t);
  const create = (query: string, body: Buffer) =>
    engine.ask('POST', `/images/create?fromSrc=${query}`, { headers: tar, body });
  t.deepEqual(await message(create('-&changes=RUN%20true', layer)), [
    400,
    'RUN is not a valid change command: "RUN true"',
  ]);
  t.is((await create('-&repo=UPPER', Buffer.alloc(4_000_000))).status, 400);
  t.is((await create('-', Buffer.from('not a tar at all '.repeat(99)))).status, 400);
  t.is((await create('ftp://127.0.0.1/x', layer)).status, 400);
});

test('an import reads from a URL, and reports its error status', async (t) => {
  const engine = await start(t);
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/root.tar' ? 200 : 404;
    response.end(layer);
  }).listen(0, '127.0.0.1');
  t.teardown(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `127.0.0.1:${port}`;
  t.is((await engine.ask('POST', `/images/create?fromSrc=${url}/root.tar&repo=url&tag=x`)).status, 200);
  t.is((await engine.ask('GET', '/images/url:x/json')).json().Comment, `Imported from ${url}/root.tar`);
  t.deepEqual(await message(engine.ask('POST', `/images/create?fromSrc=http://${url}/none`)), [
    500,
    `fromSrc: http://${url}/none answered 404 Not Found`,
  ]);
});

test('images survive a restart', async (t) => {
  const storage = new FakeStorage();
  const use = [engineApi, archive, state, fakeStorage(storage), images];
  const engine = await startEngine(t, use);
  await load(engine, image, ['web:1']);
  const before = (await engine.ask('GET', '/images/web:1/json')).text;
  await engine.restart();
  t.is((await engine.ask('GET', '/images/web:1/json')).text, before);
  t.is(engine.kernel.service(ImageService).count, 1);
  t.is(storage.stored.size, 1);
});

test('a tag beside the name replaces the one in it, in pull, import and tag', async (t) => {
  const engine = await start(t, 'web:1');
  const pulled: string[] = [];
  engine.kernel.service(ImageExchange).setSource({
    pull: async ({ reference }) => {
      pulled.push(reference);
      return image.id;
    },
  });
  const digest = `sha256:${'a'.repeat(64)}`;
  for (const query of ['fromImage=web:1&tag=2', `fromImage=web:1&tag=${digest}`, 'fromImage=web:1', 'fromImage=web']) {
    t.is((await engine.ask('POST', `/images/create?${query}`)).status, 200, query);
  }
  t.deepEqual(pulled, ['web:2', `web@${digest}`, 'web:1', 'web']);
  t.is((await engine.ask('POST', '/images/web:1/tag?repo=other:1&tag=2')).status, 201);
  t.is((await engine.ask('GET', '/images/other:2/json')).json().Id, image.id);
  const body = Readable.from([layer], { objectMode: false });
  await engine.ask('POST', '/images/create?fromSrc=-&repo=imp:1&tag=2', { headers: tar, body });
  t.is((await engine.ask('GET', '/images/imp:2/json')).status, 200);
});

test('images made here say which engine made them', async (t) => {
  const engine = await start(t, 'web:1');
  const body = Readable.from([layer], { objectMode: false });
  await engine.ask('POST', '/images/create?fromSrc=-&repo=imported', { headers: tar, body });
  await engine.kernel.service(ImageExchange).create({
    parent: image.id,
    config: {},
    createdBy: 'step',
    reference: 'made',
  });
  for (const name of ['imported', 'made']) {
    t.is((await engine.ask('GET', `/images/${name}/json`)).json().EngineVersion, version, name);
  }
});

test('an import is for the platform that its request names', async (t) => {
  const engine = await start(t);
  const importFor = (platform: string) =>
    engine.ask('POST', `/images/create?fromSrc=-&repo=made&platform=${platform}`, { headers: tar, body: layer });
  t.is((await importFor('linux/arm/v7')).status, 200);
  t.like((await engine.ask('GET', '/images/made/json')).json(), { Os: 'linux', Architecture: 'arm' });
  const [status, words] = await message(importFor('linux/a/b/c'));
  t.is(status, 400);
  t.regex(String(words), /^platform: "linux\/a\/b\/c" is not a platform/);
  t.regex(String((await message(importFor('windows')))[1]), /operating system "windows" is not supported/);
});
