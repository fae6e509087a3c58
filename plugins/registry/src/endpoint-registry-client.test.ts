import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import test from 'ava';
import { RegistryClient } from './service.js';
import { startDistribution } from './testing/distribution.js';
import { startPuller } from './testing/harness.js';
import { digestOf, makeContent, types } from './testing/stand-in.js';

const content = await makeContent(['something that is no image']);

test('other areas send and get content of any kind', async (t) => {
  const engine = await startPuller(t);
  const { host } = await startDistribution(t);
  const client = engine.kernel.service(RegistryClient);
  const target = { reference: `${host}/thing:v1` };
  for (const bytes of [content.configuration, ...content.layers]) {
    const source = {
      digest: digestOf(bytes),
      size: bytes.length,
      open: (start: number, end: number) => Readable.from([bytes.subarray(start, end)]),
    };
    t.true(await client.upload(target, source));
    t.false(await client.upload(target, source));
  }
  const digest = await client.publish(target, { bytes: content.manifest, mediaType: types.manifest });
  const resolved = await client.resolve({ reference: `${host}/thing@${digest}` });
  t.is(resolved.digest, digest);
  t.is(await client.document(target, resolved.manifest.config), content.configuration.toString());
  const [layer] = resolved.manifest.layers;
  const fetched = await client.fetch(target, layer!);
  t.deepEqual(await readFile(fetched.file), content.layers[0]);
  await fetched.release(true);
  await t.throwsAsync(readFile(fetched.file), { code: 'ENOENT' });
  await t.throwsAsync(client.resolve({ reference: `${host}/thing:none` }), { message: /manifest unknown/ });
});

test('remains of downloads are removed by age and size when the engine starts, the oldest first', async (t) => {
  const engine = await startPuller(t, { keepPartialBytes: 25, keepPartialHours: 1 });
  const directory = path.join(engine.directory, 'data/plugins/registry/blobs');
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
  for (const [name, age] of [
    ['a.part', 0.1],
    ['b.part', 0.2],
    ['c.part', 0.3],
    ['d', 2],
  ] as const) {
    await writeFile(path.join(directory, name), '0123456789');
    await utimes(path.join(directory, name), hours(age), hours(age));
  }
  await engine.restart();
  t.deepEqual((await readdir(directory)).sort(), ['a.part', 'b.part']);
});
