import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { PreparedRoot } from './prepared-root.js';

async function dataRootOf(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-prepared-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'data');
}

async function prepared(dataRoot: string): Promise<PreparedRoot> {
  const root = await PreparedRoot.begin(dataRoot);
  for (const name of ['drivers', 'plugins']) {
    await mkdir(join(root.directory, name));
    await writeFile(join(root.directory, name, 'file'), name);
  }
  return root;
}

/** As a process that has ended left it. */
const orphaned = (dataRoot: string) =>
  writeFile(join(dataRoot, '.restoring', 'owner.json'), JSON.stringify({ pid: 1, bootId: 'another', startTime: '1' }));

test('prepared content is in its place at once', async (t) => {
  const dataRoot = await dataRootOf(t);
  const root = await prepared(dataRoot);
  await t.throwsAsync(PreparedRoot.settle(dataRoot), {
    message: `process ${process.pid} restores the data root ${dataRoot}`,
  });
  await root.commit();
  t.deepEqual(await readdir(dataRoot), ['drivers', 'plugins']);
  t.is(await readFile(join(dataRoot, 'drivers', 'file'), 'utf8'), 'drivers');
  t.is(await PreparedRoot.settle(dataRoot), undefined);
});

test('content that was not complete is removed, and what is complete is moved to its place', async (t) => {
  const dataRoot = await dataRootOf(t);
  const root = await prepared(dataRoot);
  await orphaned(dataRoot);
  t.is(await PreparedRoot.settle(dataRoot), 'undone');
  t.deepEqual(await readdir(dataRoot), []);
  await t.throwsAsync(root.commit(), { code: 'ENOENT' });

  await prepared(dataRoot);
  await orphaned(dataRoot);
  await mkdir(join(dataRoot, '.restored'));
  await mkdir(join(dataRoot, '.restored', 'plugins'));
  t.is(await PreparedRoot.settle(dataRoot), 'finished');
  t.deepEqual(await readdir(dataRoot), ['plugins']);
});

test('a data root that holds something is refused and stays as it is', async (t) => {
  const dataRoot = await dataRootOf(t);
  await mkdir(join(dataRoot, 'drivers'), { recursive: true });
  await t.throwsAsync(PreparedRoot.begin(dataRoot), {
    message: `the data root ${dataRoot} is not empty: it holds drivers`,
  });
  t.deepEqual(await readdir(dataRoot), ['drivers']);
});
