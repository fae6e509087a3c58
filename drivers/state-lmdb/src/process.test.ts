import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { freshDirectory, openDriver, removeDirectory } from '@gantry/conformance';
import type { CollectionDefinition } from '@gantry/core/contracts';
import test, { type ExecutionContext } from 'ava';
import lmdb from './index.js';

const things: CollectionDefinition<{ readonly count: number }> = {
  name: 'things',
  version: 1,
  parse: (value) => value as { count: number },
};

/** Another process that writes records in a loop, and reports which are acknowledged. */
async function writerProcess(t: ExecutionContext, root: string): Promise<ChildProcess> {
  const child = fork(new URL('./testing/endless-writer.js', import.meta.url), [root], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.teardown(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

async function directory(t: ExecutionContext): Promise<string> {
  const root = await freshDirectory();
  t.teardown(() => removeDirectory(root));
  return root;
}

test('a second process is refused, naming the first, until that exits', async (t) => {
  const root = await directory(t);
  const child = await writerProcess(t, root);
  const error = await t.throwsAsync(openDriver(lmdb, { root }));
  t.like(error, { kind: 'unavailable' });
  t.true(error?.message.includes(`in use by the process ${child.pid} `), error?.message);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const opened = await openDriver(lmdb, { root });
  await opened.driver.collection(things).put('mine', { count: 0 });
  await opened.release();
});

test('a second process with another data root is refused in the run directory of the first', async (t) => {
  const [first, second] = [await directory(t), await directory(t)];
  const child = await writerProcess(t, first);
  await symlink(path.join(first, 'state'), path.join(second, 'state'));
  const refused = `the execRoot of this engine is in use by the process ${child.pid} (lock ${second}/state/state.lock)`;
  const error = await t.throwsAsync(openDriver(lmdb, { root: second }));
  t.true(error?.message.includes(refused), error?.message);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await openDriver(lmdb, { root: second })).release();
});

test('kill -9 at any moment loses nothing acknowledged', async (t) => {
  const root = await directory(t);
  for (const records of [1, 30, 100]) {
    const child = await writerProcess(t, root);
    let acknowledged = -1;
    child.on('message', (count: number) => {
      acknowledged = count;
      if (count >= records) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const opened = await openDriver(lmdb, { root });
    const collection = opened.driver.collection(things);
    t.true((collection.get('newest')?.count ?? -1) >= acknowledged);
    for (let count = 0; count <= acknowledged; count++) t.is(collection.get(`k${count}`)?.count, count);
    await opened.release();
  }
});
