import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
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

test('a thread that has begun is the one that writes, and keeps no process that needs none', async (t) => {
  const root = await directory(t);
  const script = `
    import { readdirSync } from 'node:fs';
    import { beginThread, WriterThread } from ${JSON.stringify(new URL('./environment/writer-thread.js', import.meta.url).href)};
    const threads = () => readdirSync('/proc/self/task').length;
    beginThread();
    const before = threads();
    const writer = new WriterThread({ file: ${JSON.stringify(path.join(root, 'state.mdb'))} });
    if (threads() !== before) throw new Error('another thread was made');
    await writer.commit([{ area: 'records', key: 'k', value: Buffer.from('v') }]);
    await writer.close();
    beginThread();
  `;
  const program = path.join(root, 'program.mjs');
  await writeFile(program, script);
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'] });
  t.teardown(() => void child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  t.is(code, 0);
  t.true((await stat(path.join(root, 'state.mdb'))).size > 0);
});

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
