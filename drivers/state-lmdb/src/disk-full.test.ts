import { join } from 'node:path';
import { freshDirectory, openDriver, rejects, removeDirectory } from '@gantry/conformance';
import type { CollectionDefinition } from '@gantry/core/contracts';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import test from 'ava';
import lmdb from './index.js';

const things: CollectionDefinition<string> = { name: 'things', version: 1, parse: (value) => value as string };

test('a full disk rejects, changes nothing, and accepts records again when there is room', async (t) => {
  const disk = await freshDirectory();
  t.teardown(() => removeDirectory(disk));
  await kernelMounts.mount({ source: 'tmpfs', target: disk, type: 'tmpfs', data: 'size=1m' });
  const opened = await openDriver(lmdb, { root: join(disk, 'data') });
  const collection = opened.driver.collection(things);
  const filler = 'x'.repeat(20_000);
  let count = 0;
  let failure: unknown;
  for (; failure === undefined && count < 100; count++) {
    await collection.put(`k${count}`, filler).catch((error: unknown) => {
      failure = error;
    });
  }
  const stored = count - 1;
  await rejects(t, Promise.reject(failure), 'unavailable', /state\.mdb: no space left on device$/);
  t.is(collection.size, stored);
  t.false(collection.has(`k${stored}`));

  const transaction = opened.driver.transaction((transaction) => {
    transaction.delete(collection, 'k0');
    transaction.put(collection, 'large', filler.repeat(10));
  });
  await rejects(t, transaction, 'unavailable');
  t.true(collection.has('k0'));

  for (let index = 0; index < 5; index++) await collection.delete(`k${index}`);
  await collection.put('again', filler);
  const after = await opened.reopen({ crash: true });
  t.is(after.driver.collection(things).size, stored - 5 + 1);
  t.true(after.driver.collection(things).has('again'));
  await after.release();
});
