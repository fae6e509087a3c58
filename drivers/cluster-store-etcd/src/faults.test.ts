import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { openDriver } from '@gantry/conformance';
import { type ClusterBatch, createRecord, deleteRecord, updateRecord } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { Mirror } from '@gantry/lib-cluster-store';
import test from 'ava';
import etcd from './index.js';
import { EtcdClient } from './rpc/etcd-client.js';
import { loadRecords } from './store/load-records.js';
import { MirrorFeed } from './store/mirror-feed.js';
import { blob, blobs, fill, smallQuota } from './testing/blobs.js';
import { counts } from './testing/counts.js';

/** Whether every thread of a process is stopped. */
function isStopped(pid: number): boolean {
  try {
    const states = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8'));
    return states.every((status) => /^State:\s+T/m.test(status));
  } catch {
    return false; // a thread has exited meanwhile
  }
}

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

/** Another process that opens the driver on the same directories, runs the code and prints a word. */
function useInChild(directory: string, code: string, environment: Readonly<Record<string, string>> = {}) {
  const source = `
    import { openDriver } from '@gantry/conformance';
    const { default: etcd } = await import(process.env.DRIVER);
    const { driver } = await openDriver(etcd, { root: process.env.ROOT });
    ${code}
    process.stdout.write('done');
  `;
  const root = directory.replace(/\/root$/, '');
  return spawn(process.execPath, ['--import', 'reflect-metadata', '--input-type=module', '-e', source], {
    cwd: new URL('.', import.meta.url),
    env: { ...process.env, ...environment, DRIVER: new URL('./index.js', import.meta.url).href, ROOT: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Until it succeeds: etcd may need a moment to answer. */
async function eventually<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!/did not answer in time|unavailable/.test(String(error))) throw error;
    }
  }
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
    const [pid] = findProcesses('--config-file', `${opened.dirs.state}/etcd/etcd.json`);
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
  const configuration = `${opened.dirs.state}/etcd/etcd.json`;
  t.deepEqual(findProcesses('--config-file', configuration), []);
  const child = useInChild(opened.dirs.root, 'await driver.open();');
  await once(child.stdout, 'data');
  const [pid] = findProcesses('--config-file', configuration);
  t.not(pid, undefined);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = await opened.reopen(); // waits for the lock that the killed etcd had
  const store = await again.driver.open();
  t.is(await store.transact([createRecord(counts, 'a', { count: 1 })]), store.revision);
  t.is(findProcesses('--config-file', configuration).length, 1);
});

for (const point of ['etcd.create.started', 'etcd.destroy.data-removed']) {
  test(`what a crash at ${point} leaves of a store can be destroyed, and another one created`, async (t) => {
    const opened = await openDriver(etcd);
    t.teardown(() => opened.release());
    await opened.hooks.stop?.(new AbortController().signal);
    const code = "await driver.create({ name: 'm1' }); await driver.destroy();";
    const child = useInChild(opened.dirs.root, code, { GANTRY_CRASH_AT: point });
    await once(child, 'exit');
    t.is(child.signalCode, 'SIGKILL');
    const { driver } = await opened.reopen();
    t.true(driver.exists());
    await driver.destroy();
    t.deepEqual(readdirSync(opened.dirs.root), []);
    const store = await driver.create({ name: 'm2' });
    t.is(await store.transact([createRecord(counts, 'a', { count: 1 })]), store.revision);
  });
}

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

test('a hung etcd costs each call its deadline, reads go on, and nothing is lost when it answers again', async (t) => {
  const opened = await openDriver(etcd, { config: { requestTimeoutSeconds: 3 } });
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  await store.transact([createRecord(counts, 'before', { count: 1 })]);
  const [pid = 0] = findProcesses('--config-file', `${opened.dirs.state}/etcd/etcd.json`);
  process.kill(pid, 'SIGSTOP');
  // A thread has to run for all to be stopped: until then another one may answer.
  while (!isStopped(pid)) await delay(5);
  try {
    await t.throwsAsync(store.transact([createRecord(counts, 'hung', { count: 2 })]), {
      message: /did not answer in time/,
    });
    await t.throwsAsync(store.synchronize(), { message: /did not answer in time/ });
    t.is(store.get(counts, 'before')?.value.count, 1);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const after = await eventually(() => store.transact([createRecord(counts, 'after', { count: 3 })]));
  t.true(after <= store.revision);
  t.deepEqual(findProcesses('--config-file', `${opened.dirs.state}/etcd/etcd.json`), [pid], 'it was not started again');
});

test('earlier versions of records do not count against the quota: they are compacted when it is reached', async (t) => {
  const opened = await openDriver(etcd, { config: smallQuota });
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  await store.transact([createRecord(blobs, 'a', blob(0))]);
  for (let index = 1; index <= 60; index++) {
    const record = store.get(blobs, 'a');
    if (record === undefined) return t.fail('the record is gone');
    await store.transact([updateRecord(blobs, record, blob(index))]);
  }
  t.deepEqual(store.get(blobs, 'a')?.value, blob(60));
});

test('a full store says so, lets records be removed, and takes others then', async (t) => {
  const opened = await openDriver(etcd, { config: smallQuota });
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  const { count, error } = await fill(store);
  t.regex(String(error), /has reached its quota: .*quotaBytes/);
  t.is(store.list(blobs).length, count, 'what was refused was not stored');
  const [first] = store.list(blobs);
  if (first !== undefined) await store.transact([updateRecord(blobs, first, blob(100))]);
  for (const record of store.list(blobs).slice(0, 10)) await store.transact([deleteRecord(blobs, record)]);
  const again = await fill(store);
  t.true(again.count >= 5, `${again.count} records`);
  const reopened = await opened.reopen({ config: smallQuota });
  const next = await reopened.driver.open();
  for (const record of next.list(blobs)) await next.transact([deleteRecord(blobs, record)]);
  await next.transact([createRecord(blobs, 'after', blob(0))]);
});

test('a store that has reached its quota takes more records after a start with a larger one', async (t) => {
  const opened = await openDriver(etcd, { config: smallQuota });
  t.teardown(() => opened.release());
  const { count } = await fill(await opened.driver.create({ name: 'm1' }));
  const reopened = await opened.reopen({ config: { quotaBytes: 2 * smallQuota.quotaBytes } });
  const store = await reopened.driver.open();
  for (let index = count; index < count + 10; index++) {
    await store.transact([createRecord(blobs, String(index), blob(index))]);
  }
  t.is(store.list(blobs).length, count + 10);
});

test('a feed whose watch was compacted reads all records again, and reports the difference once', async (t) => {
  const opened = await openDriver(etcd);
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  const client = new EtcdClient(`${opened.dirs.state}/etcd/client:0`, 10_000);
  t.teardown(() => client.close());
  const end = new AbortController();
  for (const id of ['kept', 'changed', 'deleted']) await store.transact([createRecord(counts, id, { count: 1 })]);
  const { records, revision } = await loadRecords(client, end.signal);
  const mirror = new Mirror(records, revision, 1000, end.signal);
  mirror.list(counts);
  for (let count = 2; count < 5; count++) {
    const record = store.get(counts, 'changed');
    if (record !== undefined) await store.transact([updateRecord(counts, record, { count })]);
  }
  const deleted = store.get(counts, 'deleted');
  if (deleted !== undefined) await store.transact([deleteRecord(counts, deleted)]);
  await store.transact([createRecord(counts, 'created', { count: 1 })]);
  await client.compact(store.revision);
  const seen: ClusterBatch[] = [];
  const watching = (async () => {
    for await (const batch of mirror.watch({ kinds: [counts], signal: end.signal })) seen.push(batch);
  })();
  const feeding = new MirrorFeed(client, mirror, silentLogger, end.signal).run();
  await mirror.reached(store.revision, AbortSignal.timeout(10_000));
  await store.transact([createRecord(counts, 'later', { count: 1 })]);
  await mirror.reached(store.revision, AbortSignal.timeout(10_000));
  await new Promise((resolve) => setImmediate(resolve));
  end.abort();
  await Promise.all([watching, feeding]);
  t.deepEqual(
    seen.map(({ changes }) => changes.map(({ id }) => id).sort()),
    [['changed', 'created', 'deleted'], ['later']],
  );
  t.deepEqual(mirror.list(counts), store.list(counts));
});
