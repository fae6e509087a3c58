import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { archiveOf, gzipped, member } from '@gantry/lib-archive/testing';
import { programPath, SpawnLauncher } from '@gantry/lib-linux/launcher';
import test from 'ava';
import { openArchive } from './testing/open-archive.js';
import { collect, scratch, streamOf } from './testing/scratch.js';

const content = createHash('sha512').update('x').digest('base64').repeat(5000);
const bytes = archiveOf(member('dir/'), member('dir/file', { body: content }));
const diffId = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const launcher = new SpawnLauncher();

async function compressed(program: string): Promise<Buffer | undefined> {
  const found = await programPath(program).catch(() => undefined);
  return found === undefined ? undefined : (await launcher.run(found, ['-c'], { input: bytes })).stdout;
}

for (const program of ['gzip', 'bzip2', 'xz', 'zstd']) {
  test(`${program} data is read from a stream and from a file`, async (t) => {
    const data = await compressed(program);
    if (data === undefined) return t.pass(`${program} is not installed`);
    const { archive, base, root } = await scratch(t);
    const again = join(base, 'again');
    mkdirSync(again);
    const file = join(base, 'file');
    writeFileSync(file, Buffer.concat([Buffer.from('before'), data, Buffer.from('behind')]));

    const fromStream = await archive.extractLayer({ stream: streamOf(data) }, root, { whiteouts: 'overlay' });
    const source = { file, offset: 6, length: data.length };
    const fromFile = await archive.extractLayer(source, again, { whiteouts: 'overlay' });

    t.is(fromStream.diffId, diffId);
    t.deepEqual(fromFile, fromStream);
    t.is(readFileSync(join(again, 'dir/file'), 'utf8'), content);
  });

  test(`damaged ${program} data is refused`, async (t) => {
    const data = await compressed(program);
    if (data === undefined) return t.pass(`${program} is not installed`);
    const { archive, root } = await scratch(t);
    const broken = Buffer.from(data.subarray(0, data.length / 2));
    const error = await t.throwsAsync(archive.extract({ stream: streamOf(broken) }, root, '/'));
    t.is((error as { kind?: string }).kind, 'invalid-argument');
    t.regex(error.message, new RegExp(`${program} data is damaged`));
  });
}

test('a program that is not installed is named', async (t) => {
  const { root } = await scratch(t);
  const stream = streamOf(Buffer.from('BZh91AY&SY'));
  const nowhere = Object.assign(Object.create(launcher), {
    stream: () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' })),
  });
  const archive = openArchive(t, { launcher: nowhere });
  await t.throwsAsync(archive.extract({ stream }, root, '/'), { message: /bzip2 is not installed/ });
});

test('gzip data of several parts is read as one', async (t) => {
  const { archive, root } = await scratch(t);
  const parts = Buffer.concat([gzipped(bytes.subarray(0, 700)), gzipped(bytes.subarray(700))]);
  const { diffId: found } = await archive.extractLayer({ stream: streamOf(parts) }, root, { whiteouts: 'none' });
  t.is(found, diffId);
});

test('a decompression bomb is refused before it has filled the disk', async (t) => {
  const { archive, root } = await scratch(t);
  const zeros = gzipped(Buffer.alloc(64 * 1024 * 1024));
  const header = member('bomb', { size: 100 * 1024 ** 3 });
  const stream = Readable.from(
    (function* () {
      yield gzipped(header);
      for (;;) yield zeros;
    })(),
  );
  const error = await t.throwsAsync(archive.extract({ stream }, root, '/', { maxBytes: 200 * 1024 * 1024 }));
  t.is((error as { kind?: string }).kind, 'invalid-argument');
  t.true(stream.destroyed);
});

for (const compression of ['none', 'gzip', 'bzip2', 'xz', 'zstd'] as const) {
  test(`${compression} data is expanded without being extracted`, async (t) => {
    const data =
      compression === 'none' ? bytes : compression === 'gzip' ? gzipped(bytes) : await compressed(compression);
    if (data === undefined) return t.pass(`${compression} is not installed`);
    const { archive } = await scratch(t);
    t.deepEqual(await collect(await archive.expand(streamOf(data))), bytes);
    if (compression === 'none') return;
    const damaged = streamOf(data.subarray(0, data.length - 12));
    const error = await t.throwsAsync(async () => collect(await archive.expand(damaged)));
    t.is((error as { kind?: string }).kind, 'invalid-argument');
    t.true(damaged.destroyed);
  });
}

test('an extraction reports how much of its source it has read', async (t) => {
  const { archive, root, base } = await scratch(t);
  const file = join(base, 'big.tar');
  writeFileSync(file, Buffer.concat([member('big', { size: 12 * 2 ** 20 }), Buffer.alloc(12 * 2 ** 20 + 1024)]));
  const totals: number[] = [];
  await archive.extractLayer({ file }, root, { whiteouts: 'none', onRead: (total) => totals.push(total) });
  t.deepEqual(
    totals,
    [4, 8, 12].map((mebibytes) => mebibytes * 2 ** 20),
  );
});

test('a stream that fails fails the extraction with its own error', async (t) => {
  const { archive, root } = await scratch(t);
  const stream = new PassThrough();
  stream.write(bytes.subarray(0, 1000));
  const failed = t.throwsAsync(archive.extract({ stream }, root, '/'), { message: 'the line is dead' });
  await turn();
  stream.destroy(new Error('the line is dead'));
  await failed;
});

test('the memory of chunks is taken over only from a transferable stream', async (t) => {
  const { archive, root } = await scratch(t);
  const large = archiveOf(member('large', { body: 'x'.repeat(100_000) }));
  const extractWhole = async (transferable: boolean): Promise<Uint8Array> => {
    const chunk = new Uint8Array(large);
    await archive.extract({ stream: Readable.from([chunk]), transferable }, root, '/');
    t.is(statSync(join(root, 'large')).size, 100_000);
    return chunk;
  };
  t.is((await extractWhole(false)).length, large.length, 'the caller still has its bytes');
  t.is((await extractWhole(true)).length, 0, 'the bytes have left this thread');
});

test('a chunk that shares its memory with others is copied, also of a transferable stream', async (t) => {
  const { archive, root } = await scratch(t);
  const around = Buffer.concat([bytes, bytes]);
  await archive.extract({ stream: streamOf(around.subarray(0, bytes.length)), transferable: true }, root, '/');
  t.is(readFileSync(join(root, 'dir/file'), 'utf8'), content);
  t.deepEqual(around.subarray(bytes.length), bytes);
});

test('a stream shorter than the magic bytes of a compression is read whole', async (t) => {
  const { archive, root } = await scratch(t);
  for (const chunks of [[], ['a'], ['a', 'b'], ['ab', 'cde']]) {
    const pieces = chunks.map((chunk) => Buffer.from(chunk));
    for (const objectMode of [true, false]) {
      const expanded = await archive.expand(Readable.from(pieces, { objectMode }));
      t.is((await collect(expanded)).toString(), chunks.join(''));
    }
  }
  const stream = new PassThrough();
  stream.write('abc');
  const failed = t.throwsAsync(archive.extract({ stream }, root, '/'), { message: 'the line is dead' });
  await turn();
  stream.destroy(new Error('the line is dead'));
  await failed;
});

test('an aborted extraction ends at once, whatever it waits for', async (t) => {
  const { archive, root } = await scratch(t);
  for (const beginning of [undefined, bytes.subarray(0, 1000), gzipped(bytes).subarray(0, 100)]) {
    const stream = new PassThrough();
    if (beginning !== undefined) stream.write(beginning);
    const controller = new AbortController();
    const extraction = archive.extract({ stream }, root, '/', { signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    await t.throwsAsync(extraction, { name: 'AbortError' });
    t.true(stream.destroyed);
  }
  const stream = new PassThrough();
  await t.throwsAsync(archive.extract({ stream }, root, '/', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  t.true(stream.destroyed);
});

// Alone, since the others start programs too.
test.serial('an aborted extraction by a program ends the program', async (t) => {
  const data = await compressed('xz');
  if (data === undefined) return t.pass('xz is not installed');
  const { archive, root } = await scratch(t);
  const stream = new PassThrough();
  stream.write(data.subarray(0, data.length - 10));
  const extraction = archive.extract({ stream }, root, '/', { signal: AbortSignal.timeout(100) });
  await t.throwsAsync(extraction, { name: 'AbortError' });
  const deadline = Date.now() + 5000;
  while (xzChildren().length > 0 && Date.now() < deadline) await delay(5);
  t.deepEqual(xzChildren(), []);
});

/** Programs this process has started and that have not gone. */
const xzChildren = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const path = `/proc/${pid}/stat`;
      const [, command, parent] = existsSync(path) ? (/\((.*)\) . (\d+)/.exec(readFileSync(path, 'utf8')) ?? []) : [];
      return command === 'xz' && parent === String(process.pid) ? [pid] : [];
    });

test('many extractions at once take turns', async (t) => {
  const { archive, base } = await scratch(t);
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const root = join(base, `root-${index}`);
      mkdirSync(root);
      const source = index % 2 === 0 ? { stream: streamOf(gzipped(bytes)) } : { stream: Readable.from([bytes]) };
      await archive.extract(source, root, '/');
      t.deepEqual(readdirSync(root), ['dir']);
    }),
  );
});

test('extracting into a directory inside a root stays inside the root', async (t) => {
  const { archive, base, root } = await scratch(t);
  mkdirSync(join(root, 'var/lib'), { recursive: true });
  mkdirSync(join(root, 'var/lib/etc'));
  symlinkSync('/var/lib', join(root, 'link'));
  writeFileSync(join(root, 'file'), '');
  const put = (path: string, entries: Buffer, options = {}) =>
    archive.extract({ stream: streamOf(entries) }, root, path, options);

  await put('/link', archiveOf(member('./', { mode: 0o700 }), member('one', { body: '1', uid: 5 })));
  t.is(readFileSync(join(root, 'var/lib/one'), 'utf8'), '1');
  await put('../../link/', archiveOf(member('../two')), { owner: { uid: 42, gid: 43 } });
  t.like(statSync(join(root, 'var/lib/two')), { uid: 42, gid: 43 });
  t.is(statSync(join(root, 'var/lib')).mode & 0o777, 0o755, 'the entry of the directory itself changes nothing');
  await t.throwsAsync(put('/nowhere', bytes), { message: /no such file or directory/ });
  await t.throwsAsync(put('/file', bytes), { message: /not a directory/ });
  t.deepEqual(readdirSync(base), ['root']);

  const over = /cannot overwrite directory .* with non-directory/;
  await t.throwsAsync(put('/var/lib', archiveOf(member('etc', { body: 'x' })), { keepDirectories: true }), {
    message: over,
  });
  const under = /cannot overwrite non-directory .* with directory/;
  await t.throwsAsync(put('/var/lib', archiveOf(member('one/')), { keepDirectories: true }), { message: under });
  await put('/var/lib', archiveOf(member('etc', { body: 'now a file' })));
  t.is(readFileSync(join(root, 'var/lib/etc'), 'utf8'), 'now a file');
  t.is((await collect(archive.packTree(root, '/var/lib/one'))).subarray(0, 3).toString(), 'one');
});
