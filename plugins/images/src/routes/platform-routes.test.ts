import engineApi from '@gantry/engine-api';
import { archive, state } from '@gantry/memory-drivers';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import test from 'ava';
import images from '../index.js';
import { digestOf, imageOf, type MadeImage, manifestArchive, tarOf } from '../testing/archives.js';
import { FakeStorage, fakeStorage } from '../testing/fake-storage.js';

const layer = await tarOf({ 'etc/x': 'hello' });
const plain = imageOf([layer], { architecture: 'riscv64' });
const other = imageOf([layer], { architecture: 'arm64', variant: 'v8', author: 'other' });
const headers = { 'Content-Type': 'application/x-tar' };
const asked = (platform: object | string): string =>
  encodeURIComponent(typeof platform === 'string' ? platform : JSON.stringify(platform));
const riscv = { os: 'linux', architecture: 'riscv64' };
const arm = { os: 'linux', architecture: 'arm64' };

const start = (t: TestOwner): Promise<TestEngine> =>
  startEngine(t, [engineApi, archive, state, fakeStorage(new FakeStorage()), images]);

const load = async (engine: TestEngine, made: readonly (MadeImage & { tags: readonly string[] })[], query = '') =>
  engine.ask('POST', `/images/load${query}`, { headers, body: await manifestArchive(made) });

test('an image for another platform than the one asked for is not found, and stays', async (t) => {
  const engine = await start(t);
  await load(engine, [{ ...plain, tags: ['web:1'] }]);
  const message =
    'image with reference web:1 was found but its platform (linux/riscv64) does not match the specified platform (linux/arm64)';
  for (const [method, path] of [
    ['GET', '/images/web:1/json?platform='],
    ['GET', '/images/web:1/history?platform='],
    ['DELETE', '/images/web:1?platforms='],
  ] as const) {
    const answer = await engine.ask(method, `${path}${asked(arm)}`);
    t.deepEqual([answer.status, answer.json().message], [404, message], path);
  }
  const saved = await engine.ask('GET', `/images/web:1/get?platform=${asked(arm)}`);
  t.deepEqual([saved.status, saved.json().message], [500, 'no suitable export target found for platform linux/arm64']);
  t.is((await engine.ask('GET', `/images/web:1/json?platform=${asked(riscv)}`)).json().Id, plain.id);
  t.is((await engine.ask('GET', `/images/web:1/history?platform=${asked(riscv)}`)).status, 200);
  t.is((await engine.ask('GET', `/images/get?names=web:1&platform=${asked(riscv)}`)).status, 200);
  t.is((await engine.ask('DELETE', `/images/web:1?platforms=${asked(riscv)}`)).status, 200);
});

for (const [platform, message] of [
  ['nonsense', /^failed to parse platform: /],
  ['[]', /^failed to parse platform: /],
  ['{"os":"linux"}', /^both OS and Architecture must be provided$/],
  ['{"os":"linux","architecture":"arm","variant":7}', /^failed to parse platform: variant/],
] as const) {
  test(`the platform ${platform} is refused everywhere`, async (t) => {
    const engine = await start(t);
    await load(engine, [{ ...plain, tags: ['web:1'] }]);
    for (const [method, path] of [
      ['GET', '/images/web:1/json?platform='],
      ['GET', '/images/web:1/history?platform='],
      ['GET', '/images/web:1/get?platform='],
      ['DELETE', '/images/web:1?platforms='],
      ['POST', '/images/load?platform='],
    ] as const) {
      const answer = await engine.ask(method, `${path}${asked(platform)}`);
      t.is(answer.status, 400, path);
      t.regex(String(answer.json().message), message);
    }
    t.is((await engine.ask('GET', '/images/web:1/json')).status, 200);
  });
}

test('several platforms, and a platform beside the manifests, are refused', async (t) => {
  const engine = await start(t);
  await load(engine, [{ ...plain, tags: ['web:1'] }]);
  const two = await engine.ask('DELETE', `/images/web:1?platforms=${asked(riscv)}&platforms=${asked(arm)}`);
  t.deepEqual([two.status, two.json().message], [400, 'platforms: multiple platforms are not supported']);
  const both = await engine.ask('GET', `/images/web:1/json?manifests=1&platform=${asked(riscv)}`);
  t.deepEqual(
    [both.status, both.json().message],
    [400, 'conflicting options: manifests and platform options cannot both be set'],
  );
});

test('a load with a platform takes the images for it from the archive', async (t) => {
  const engine = await start(t);
  const made = [
    { ...plain, tags: ['web:riscv'] },
    { ...other, tags: ['web:arm'] },
  ];
  const none = await load(engine, made, `?platform=${asked({ os: 'linux', architecture: 's390x' })}`);
  t.is(
    none.lines<{ error?: string }>().at(-1)?.error,
    'requested platform (linux/s390x) not found: the archive has no image for it',
  );
  await load(engine, made, `?platform=${asked(arm)}`);
  t.is((await engine.ask('GET', '/images/web:arm/json')).json().Id, other.id);
  t.is((await engine.ask('GET', '/images/web:riscv/json')).status, 404);
});

test('a load with a platform takes its image from an index of an OCI image layout', async (t) => {
  const engine = await start(t);
  const blobs: Record<string, string | Buffer> = {};
  const blob = (bytes: string | Buffer) => {
    blobs[`blobs/sha256/${digestOf(bytes).slice(7)}`] = bytes;
    return { digest: digestOf(bytes), size: Buffer.byteLength(bytes) };
  };
  const manifestOf = ({ configuration, layers }: MadeImage) =>
    blob(JSON.stringify({ schemaVersion: 2, config: blob(configuration), layers: layers.map(blob) }));
  const inner = blob(
    JSON.stringify({
      schemaVersion: 2,
      manifests: [
        { ...manifestOf(plain), platform: riscv },
        { ...manifestOf(other), platform: { ...arm, variant: 'v8' } },
      ],
    }),
  );
  const annotations = { 'io.containerd.image.name': 'web:any' };
  const index = JSON.stringify({ schemaVersion: 2, manifests: [{ ...inner, annotations }] });
  const body = await tarOf({ 'oci-layout': '{"imageLayoutVersion":"1.0.0"}', 'index.json': index, ...blobs });
  const loaded = await engine.ask('POST', `/images/load?platform=${asked(arm)}`, { headers, body });
  t.deepEqual(loaded.lines().at(-1), { stream: `Loaded image ID: ${other.id}\n` });
});
