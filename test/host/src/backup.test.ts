import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { access, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Daemon, eventually, loseEverything, type Scope, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { contentOf, fill, returnsAsItWas, runsAgain } from './testing/returns-as-it-was.js';
import { runIn } from './testing/run-in.js';
import { firstId, startRemapped } from './testing/start-remapped.js';

const program = fileURLToPath(new URL('../../../gantry/bin/gantryd.js', import.meta.url));

/** As on another host: nothing runs, and the data root is empty. */
async function loseData(daemon: Daemon): Promise<string> {
  await daemon.crash();
  await loseEverything(daemon);
  const data = path.join(daemon.directory, 'data');
  await rm(data, { recursive: true, force: true });
  return data;
}

test('a backup of an engine that works brings volumes, containers, networks and images back on an empty host', async (t) => {
  const daemon = await startDaemon(t);
  const { client, directory } = daemon;
  const container = await fill(client);
  const before = await contentOf(container);
  t.is(before.code, 0, before.output);
  const file = path.join(directory, 'backup');
  let isDone = false;
  const churn = (async () => {
    for (let number = 0; !isDone; number++) {
      await client.createVolume({ Name: `passing-${number % 3}` });
      await client.getVolume(`passing-${number % 3}`).remove();
    }
  })();
  const [made] = await Promise.all([
    daemon.command('backup', file).finally(() => {
      isDone = true;
    }),
    churn,
  ]);
  t.is(made.code, 0);
  t.regex(made.said, /not included: what is mounted on drivers\/volume-local\/volumes\/memory\/_data/);
  t.regex(made.said, /backup: [23] volumes, 1 container, 1 layer, [\d.]+ MB\n$/);
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.is((await daemon.command('restore', file)).code, 1, 'the engine runs');

  const data = await loseData(daemon);
  await writeFile(`${file}-cut`, (await readFile(file)).subarray(0, -1000));
  t.is((await daemon.command('restore', `${file}-cut`)).code, 1);
  t.deepEqual(await readdir(data), []);
  t.is((await daemon.command('restore', file)).code, 0);
  t.deepEqual(await readdir(data), ['drivers', 'plugins']);
  t.is((await daemon.command('restore', file)).code, 1, 'the data root is not empty');

  await daemon.restart();
  await runsAgain(container);
  t.deepEqual(await contentOf(container), before);
  t.deepEqual((await client.getVolume('data').inspect()).Labels, { kept: 'yes' });
  t.regex((await runIn(container, 'ls /memory')).output, /^$/);
  t.regex((await daemon.command('check')).said, /^$|no orphans/i);
});

for (const [what, startEngine, storage, rootId] of [
  ['with remapped containers', startRemapped, 'overlayfs', firstId],
  ['with the storage driver vfs', (t: Scope) => startDaemon(t, { defaults: { storage: ['vfs'] } }), 'vfs', 0],
] as const) {
  test(`a backup of an engine ${what} brings every file back, with its owner and attributes`, async (t) => {
    const daemon = await startEngine(t);
    const { client, directory } = daemon;
    await returnsAsItWas(t, {
      client,
      storage,
      dataRoot: path.join(directory, 'data', ...(rootId === 0 ? [] : [`${rootId}.${rootId}`])),
      rootId,
      userId: rootId + 7,
      file: path.join(directory, 'backup'),
      command: daemon.command,
      lose: async () => {
        await daemon.crash();
        await loseEverything(daemon);
      },
      start: daemon.restart,
    });
  });
}

test('a restore that is killed leaves nothing, and the next one works', async (t) => {
  const daemon = await startDaemon(t);
  const container = await fill(daemon.client);
  await container.remove({ force: true });
  const file = path.join(daemon.directory, 'backup');
  await daemon.crash();
  t.is((await daemon.command('backup', file, '--without-images')).code, 0, 'of a stopped engine');
  const data = await loseData(daemon);
  const { size } = await stat(file);
  const restoring = spawn(
    process.execPath,
    [program, 'restore', '-', '--config', path.join(daemon.directory, 'gantry.json')],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
      // What it leaves goes with the daemon's directory.
      env: { ...process.env, TMPDIR: daemon.directory },
    },
  );
  createReadStream(file, { end: size - 2000 }).pipe(restoring.stdin, { end: false });
  const draft = path.join(data, '.restoring/content/drivers/volume-local');
  await eventually('half of it is there', () =>
    access(draft).then(
      () => true,
      () => false,
    ),
  );
  restoring.kill('SIGKILL');
  await once(restoring, 'exit');
  await daemon.restart();
  t.deepEqual((await daemon.client.listVolumes()).Volumes ?? [], []);
  t.regex(daemon.log(), /a restore of the data root was interrupted/);
  await loseData(daemon);
  t.is((await daemon.command('restore', file)).code, 0);
  await daemon.restart();
  t.is(await readFile(path.join(data, 'drivers/volume-local/volumes/data/_data/file'), 'utf8'), 'text\n');
});
