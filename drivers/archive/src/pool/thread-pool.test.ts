import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SpawnLauncher } from '@gantry/linux/launcher';
import test from 'ava';
import { Archive } from '../archive.js';
import { scratch } from '../testing/scratch.js';

const threads = (): number => readdirSync('/proc/self/task').length;

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition() && Date.now() < deadline) await delay(10);
}

test.serial('threads come with work and go without it', async (t) => {
  const { root } = await scratch(t);
  const archive = new Archive({ launcher: new SpawnLauncher(), idle: 20 });
  await archive.treeSize(root);
  await until(() => true);
  const before = threads();
  await Promise.all(Array.from({ length: 12 }, () => archive.treeSize(root)));
  t.true(threads() <= before + 3, 'only as many as are let work at once');
  await until(() => threads() < before);
  t.true(threads() < before, 'the last one has ended too');
  t.is(await archive.treeSize(root), 0, 'and there is a new one when it is needed');
  await archive.close();
});

test.serial('clients that do not read, or do not send, hold nobody up', async (t) => {
  const { archive, base, root } = await scratch(t);
  const slow = Array.from({ length: 6 }, () => new PassThrough());
  const waiting = slow.map((stream) => {
    stream.write(Buffer.alloc(1024));
    return archive.extract({ stream, compression: 'none' }, root, '/');
  });
  t.is(await archive.treeSize(base), 0);
  for (const stream of slow) stream.end();
  t.is((await Promise.all(waiting)).length, 6);
});

test.serial('closing ends what runs and refuses what comes', async (t) => {
  const { root } = await scratch(t);
  const archive = new Archive({ launcher: new SpawnLauncher() });
  const stream = new PassThrough();
  stream.write(Buffer.alloc(600));
  const running = archive.extract({ stream, compression: 'none' }, root, '/');
  await delay(50);
  await Promise.all([t.throwsAsync(running, { message: /thread/ }), archive.close()]);
  await t.throwsAsync(archive.treeSize(root), { message: /closed/ });
  t.true(stream.destroyed);
});

test.serial('a root that is not there is told as such', async (t) => {
  const { archive, root } = await scratch(t);
  const error = await t.throwsAsync(archive.treeSize(join(root, 'none')));
  t.is((error as { kind?: string }).kind, 'not-found');
  t.is(await archive.treeSize(root), 0, 'and the thread works on');
});
