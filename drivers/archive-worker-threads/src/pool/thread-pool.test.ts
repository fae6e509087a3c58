import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { member } from '@gantry/lib-archive/testing';
import test from 'ava';
import { openArchive } from '../testing/open-archive.js';
import { scratch } from '../testing/scratch.js';
import { concurrencyLimits } from './job-class.js';

const threads = (): number => readdirSync('/proc/self/task').length;

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition() && Date.now() < deadline) await delay(10);
}

test.serial('threads start with work and end without it, but for one', async (t) => {
  const { root } = await scratch(t);
  const archive = openArchive(t, { idleSeconds: 0.02 });
  await archive.treeSize(root);
  const before = threads();
  await Promise.all(Array.from({ length: 12 }, () => archive.treeSize(root)));
  t.true(threads() <= before + concurrencyLimits.disk, 'no more than the limit');
  t.true(threads() > before);
  await until(() => threads() === before);
  t.is(threads(), before, 'one is left');
  await archive.stop();
  t.true(threads() < before);
});

test.serial('clients that do not send do not delay others', async (t) => {
  const { base, root } = await scratch(t);
  const archive = openArchive(t);
  const slow = Array.from({ length: 6 }, () => new PassThrough());
  const waiting = slow.map((stream) => {
    stream.write(Buffer.alloc(1024));
    return archive.extract({ stream, compression: 'none' }, root, '/');
  });
  t.is(await archive.treeSize(base), 0);
  for (const stream of slow) stream.end();
  t.is((await Promise.all(waiting)).length, 6);
});

test.serial('a stalled client is disconnected when others wait for its worker, and not before', async (t) => {
  const { base } = await scratch(t);
  const archive = openArchive(t, { stallSeconds: 0.3 });
  await writeFile(join(base, 'big'), Buffer.alloc(8 * 2 ** 20));
  // Their buffers are full, and no one reads them.
  const unread = Array.from({ length: concurrencyLimits.output }, () => archive.packTree(base, '/', { name: 'x' }));
  const broken = unread.map((stream) => once(stream, 'error').then(([{ message }]) => message));
  for (const stream of unread) await once(stream, 'readable');
  await delay(600);
  t.true(
    unread.every(({ destroyed }) => !destroyed),
    'nothing else waits yet',
  );
  const next = archive.packTree(base, '/', { name: 'y' });
  let length = 0;
  for await (const piece of next) length += (piece as Buffer).length;
  t.true(length > 8 * 2 ** 20);
  t.regex(await Promise.race(broken), /^nothing was sent or read for \d+ s, and others wait/);
  t.is(unread.filter(({ destroyed }) => destroyed).length, 1, 'one worker is enough');
  for (const stream of unread) stream.destroy();
});

test.serial('many streams that are packed and extracted at once do not wait for each other for ever', async (t) => {
  const { base } = await scratch(t);
  const archive = openArchive(t);
  await mkdir(join(base, 'tree'));
  await writeFile(join(base, 'tree/file'), Buffer.alloc(2 ** 20));
  await Promise.all(
    Array.from({ length: 3 * concurrencyLimits.input }, async (_, number) => {
      const copy = join(base, `copy-${number}`);
      await mkdir(copy);
      await archive.extract({ stream: archive.packTree(join(base, 'tree'), '/', { name: '' }) }, copy, '/');
      t.is((await stat(join(copy, 'file'))).size, 2 ** 20);
    }),
  );
});

test.serial('all idle threads but one end when the engine is idle', async (t) => {
  const { root } = await scratch(t);
  const archive = openArchive(t);
  await archive.treeSize(root);
  const before = threads();
  await Promise.all(Array.from({ length: 12 }, () => archive.treeSize(root)));
  t.true(threads() > before);
  await archive.onIdle();
  t.is(threads(), before);
  t.is(await archive.treeSize(root), 0);
});

test.serial('an idle engine starts a thread for the first job', async (t) => {
  const { root } = await scratch(t);
  const archive = openArchive(t);
  await archive.onIdle();
  const before = threads();
  t.is(await archive.treeSize(root), 0);
  t.is(threads(), before);
  await archive.stop();
  t.true(threads() < before);
});

test.serial('while a client sends, a thread is ready for the next job', async (t) => {
  const { base, root } = await scratch(t);
  const archive = openArchive(t);
  await archive.onIdle();
  const before = threads();
  const stream = new PassThrough();
  const extraction = archive.extract({ stream, compression: 'none' }, root, '/');
  stream.write(Buffer.alloc(512));
  await until(() => threads() > before);
  const withSpare = threads();
  t.true(withSpare > before);
  t.is(await archive.treeSize(base), 0);
  t.is(threads(), withSpare, 'the job needed no other thread');
  stream.end(Buffer.alloc(1024));
  await extraction;
});

test.serial('closing aborts running jobs and refuses new ones', async (t) => {
  const { root } = await scratch(t);
  const archive = openArchive(t);
  const stream = new PassThrough();
  stream.write(Buffer.concat([member('begun'), member('large', { size: 2 ** 23 }), Buffer.alloc(2 ** 20)]));
  const running = archive.extract({ stream, compression: 'none' }, root, '/');
  await until(() => existsSync(join(root, 'begun')));
  const local = archive.treeSize(root);
  const refused = { message: 'the archive threads have been closed' };
  await Promise.all([t.throwsAsync(running, refused), t.throwsAsync(local, refused), archive.stop()]);
  await t.throwsAsync(archive.treeSize(root), { message: /closed/ });
  t.true(stream.destroyed);
});

test.serial('an absent root is not-found', async (t) => {
  const { root } = await scratch(t);
  const archive = openArchive(t);
  const error = await t.throwsAsync(archive.treeSize(join(root, 'none')));
  t.is((error as { kind?: string }).kind, 'not-found');
  t.is(await archive.treeSize(root), 0, 'the thread goes on working');
});
