import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import test from 'ava';
import { Archive } from '../archive.js';
import { member } from '../testing/raw-tar.js';
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

test.serial('clients that stand still give way when others wait for their place, and not before', async (t) => {
  const { root, base } = await scratch(t);
  const archive = new Archive({ launcher: new SpawnLauncher(), patience: 300 });
  t.teardown(() => archive.close());
  await writeFile(join(base, 'big'), Buffer.alloc(8 * 2 ** 20));
  const slow = Array.from({ length: 8 }, () => new PassThrough());
  const outcomes = slow.map((stream) => {
    stream.write(Buffer.alloc(1024));
    return archive.extract({ stream, compression: 'none' }, root, '/').then(
      () => 'complete',
      ({ message }: Error) => message,
    );
  });
  // Those that do not read: their buffers are full and the rest has no place to go.
  const unread = Array.from({ length: 8 }, () => archive.packTree(base, '/', { name: 'x' }));
  const broken = unread.map((stream) => once(stream, 'error').then(([{ message }]) => message));
  for (const stream of unread) await once(stream, 'readable');
  await delay(600);
  t.true(
    unread.every(({ destroyed }) => !destroyed),
    'nobody waits for them yet',
  );
  const next = archive.packTree(base, '/', { name: 'y' });
  let length = 0;
  for await (const piece of next) length += (piece as Buffer).length;
  t.true(length > 8 * 2 ** 20);
  const gone = /^nothing was sent or read for \d+ s, and others wait/;
  t.regex(String(await Promise.race([...broken, ...outcomes])), gone);
  for (const stream of slow) stream.end();
  for (const stream of unread) stream.destroy();
  t.true((await Promise.all(outcomes)).filter((outcome) => outcome === 'complete').length >= 6, 'one place is enough');
});

test.serial('closing ends what runs and refuses what comes', async (t) => {
  const { root } = await scratch(t);
  const archive = new Archive({ launcher: new SpawnLauncher() });
  const stream = new PassThrough();
  stream.write(Buffer.concat([member('begun'), member('large', { size: 2 ** 23 }), Buffer.alloc(2 ** 20)]));
  const running = archive.extract({ stream, compression: 'none' }, root, '/');
  await until(() => existsSync(join(root, 'begun')));
  const local = archive.treeSize(root);
  const refused = { message: 'the archive threads have been closed' };
  await Promise.all([t.throwsAsync(running, refused), t.throwsAsync(local, refused), archive.close()]);
  await t.throwsAsync(archive.treeSize(root), { message: /closed/ });
  t.true(stream.destroyed);
});

test.serial('a root that is not there is told as such', async (t) => {
  const { archive, root } = await scratch(t);
  const error = await t.throwsAsync(archive.treeSize(join(root, 'none')));
  t.is((error as { kind?: string }).kind, 'not-found');
  t.is(await archive.treeSize(root), 0, 'and the thread works on');
});
