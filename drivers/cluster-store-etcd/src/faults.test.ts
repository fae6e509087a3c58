import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { openDriver } from '@gantry/conformance';
import { type ClusterBatch, createRecord, type RecordKind } from '@gantry/core/contracts';
import test from 'ava';
import etcd from './index.js';

const counts: RecordKind<{ readonly count: number }> = {
  name: 'count',
  version: 1,
  parse: (value) => value as { readonly count: number },
};

/** The processes whose command line has all of these arguments. */
function findProcesses(...wanted: readonly string[]): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return line[0]?.endsWith('etcd') === true && wanted.every((argument) => line.includes(argument));
      } catch {
        return false; // exited meanwhile
      }
    })
    .map(Number);
}

test('a killed etcd is started again: no acknowledged change is lost, and a watch misses none', async (t) => {
  const opened = await openDriver(etcd);
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  const end = new AbortController();
  const seen: ClusterBatch[] = [];
  const watching = (async () => {
    for await (const batch of store.watch({ kinds: [counts], signal: end.signal })) seen.push(batch);
  })();
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round++) {
    const writing = Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const id = `r${round}-${index}`;
        const outcome = await store.transact([createRecord(counts, id, { count: index })]).catch(() => undefined);
        if (outcome !== undefined) acknowledged.push(id);
      }),
    );
    const [pid] = findProcesses('--data-dir', `${opened.dirs.root}/data`);
    if (pid === undefined) throw new Error('etcd does not run');
    process.kill(pid, 'SIGKILL');
    await writing;
    const id = `after-${round}`;
    await store.transact([createRecord(counts, id, { count: 0 })]); // waits for the next etcd
    acknowledged.push(id);
  }
  await store.synchronize();
  const stored = store.list(counts).map((record) => record.id);
  t.deepEqual(
    acknowledged.filter((id) => !stored.includes(id)),
    [],
  );
  const last = store.revision;
  await store.transact([createRecord(counts, 'last', { count: 0 })]);
  while ((seen.at(-1)?.revision ?? 0) <= last) await new Promise((resolve) => setImmediate(resolve));
  end.abort();
  await watching;
  const watched = seen.flatMap(({ changes }) => changes.map((change) => change.id));
  t.deepEqual([...watched].sort(), [...stored, 'last'].sort());
});

test('etcd ends with the process that started it', async (t) => {
  const opened = await openDriver(etcd);
  t.teardown(() => opened.release());
  await opened.driver.create({ name: 'm1' });
  await opened.hooks.stop?.(new AbortController().signal);
  const data = `${opened.dirs.root}/data`;
  t.deepEqual(findProcesses('--data-dir', data), []);
  const code = `
    import { openDriver } from '@gantry/conformance';
    const { default: etcd } = await import(process.env.DRIVER);
    const { driver } = await openDriver(etcd, { root: process.env.ROOT });
    await driver.open();
    process.stdout.write('open');
  `;
  const root = opened.dirs.root.replace(/\/root$/, '');
  const child = spawn(process.execPath, ['--import', 'reflect-metadata', '--input-type=module', '-e', code], {
    cwd: new URL('.', import.meta.url),
    env: { ...process.env, DRIVER: new URL('./index.js', import.meta.url).href, ROOT: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const [pid] = findProcesses('--data-dir', data);
  t.not(pid, undefined);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = await opened.reopen(); // waits for the lock that the killed etcd had
  const store = await again.driver.open();
  t.is(await store.transact([createRecord(counts, 'a', { count: 1 })]), store.revision);
  t.is(findProcesses('--data-dir', data).length, 1);
});

test('without etcd a store cannot be made, and the message says what to install', async (t) => {
  const opened = await openDriver(etcd, { config: { program: 'no-such-etcd' } });
  t.teardown(() => opened.release());
  t.false(opened.driver.exists());
  await t.throwsAsync(opened.driver.create({ name: 'm1' }), { message: /etcd-server/ });
  t.false(opened.driver.exists());
});

test('an etcd that exits at once costs the call, and says why', async (t) => {
  const opened = await openDriver(etcd, { config: { program: '/bin/false' } });
  t.teardown(() => opened.release());
  const controller = new AbortController();
  const creating = opened.driver.create({ name: 'm1', signal: controller.signal });
  controller.abort(new Error('the caller gave up'));
  await t.throwsAsync(creating);
  t.false(opened.driver.exists());
});
