import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LogDriver } from '@gantry/core/contracts';
import { type DriverSet, silentLogger } from '@gantry/core/driver';
import { plainContainer } from '@gantry/lib-log/testing';
import test, { type ExecutionContext } from 'ava';
import { ContainerLogsService } from './container-logs-service.js';
import { KnownContainers } from './known-containers.js';
import type { LogSource } from './service.js';
import { FakeLog } from './testing/fake-log.js';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `2026-01-01T00:00:00.${`${index}`.padStart(9, '0')}Z stdout F x\n`).join(
    '',
  );

/** The logs of one container. */
async function open(t: ExecutionContext, exited: number, isRunning = false) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-logs-'));
  const driver = new FakeLog();
  const drivers: Partial<DriverSet<LogDriver>> = {
    defaultId: 'fake',
    has: () => true,
    get: () => driver,
    origin: () => undefined,
  };
  const config = { spoolFileBytes: 2 ** 30, spoolBacklogBytes: 0 };
  const timeouts = { running: 30_000, exited, failing: 50, removal: 50 };
  const logs = new ContainerLogsService(
    drivers as DriverSet<LogDriver>,
    config,
    timeouts,
    new KnownContainers(),
    silentLogger,
  );
  t.teardown(async () => {
    await logs.close();
    await rm(directory, { recursive: true, force: true });
  });
  const container = { ...plainContainer(directory), driver: '', terminal: true };
  const source: LogSource = { container, isRunning: () => isRunning, ended: async () => undefined };
  const run = async (text: string): Promise<void> => {
    const spool = logs.spoolFor(container, 1n) ?? '';
    await writeFile(spool, text);
    logs.start(container, spool);
    if (!isRunning) logs.finish(container.id);
  };
  const read = async (): Promise<string> => {
    const pieces: Uint8Array[] = [];
    const { signal } = new AbortController();
    for await (const piece of logs.read(source, { stdout: true, stderr: true, signal })) {
      pieces.push(Uint8Array.from(piece));
    }
    return Buffer.concat(pieces).toString();
  };
  return { container, driver, logs, read, run, source };
}

test('the log of an exited container is complete although its driver is slow', async (t) => {
  const { driver, run, read } = await open(t, 30_000);
  driver.writeDelay = 400;
  await run(lines(50_000));
  t.is(await read(), 'x\n'.repeat(50_000));
});

test('the stored part of a log is read while its driver stores the rest', async (t) => {
  const { driver, logs, run, source } = await open(t, 5000);
  Object.assign(driver, { capabilities: { read: true, worker: true, discards: false } });
  let storeRest = (): void => undefined;
  const isRead = new Promise<void>((resolve) => {
    storeRest = resolve;
  });
  const openSink = driver.open.bind(driver);
  driver.open = async (opened) => {
    const sink = await openSink(opened);
    return { ...sink, write: async (batch) => isRead.then(() => sink.write(batch)) };
  };
  const stored = driver.read.bind(driver);
  driver.read = async function* (read, query) {
    yield { records: () => [{ stream: 'stdout', time: 0n, line: Buffer.from('stored'), partial: false }] };
    yield* stored(read, query);
  };
  await run(lines(2));
  const { signal } = new AbortController();
  const pieces = logs.read(source, { stdout: true, stderr: true, signal })[Symbol.asyncIterator]();
  const next = async () => Buffer.from((await pieces.next()).value ?? '').toString();
  t.is(await next(), 'stored\n');
  storeRest();
  t.is(await next(), 'x\nx\n');
  t.is(await next(), '');
});

test('a log whose driver has stalled says that it is incomplete', async (t) => {
  const { driver, run, read } = await open(t, 100);
  driver.writeDelay = 1000;
  await run(lines(10));
  t.is(await read(), '[incomplete log: the log driver has not stored all output yet]\n');
});

test('a follower gets the stored output without waiting for the driver', async (t) => {
  const { container, driver, logs, run, source } = await open(t, 30_000, true);
  await writeFile(driver.path(container), lines(1));
  driver.writeDelay = 5000;
  driver.read = async function* () {
    yield { records: () => [{ stream: 'stdout', time: 0n, line: Buffer.from('stored'), partial: false }] };
  };
  await run(lines(10));
  const began = performance.now();
  const { signal } = new AbortController();
  for await (const piece of logs.read(source, { stdout: true, stderr: true, follow: true, signal })) {
    t.is(Buffer.from(piece).toString(), 'stored\n');
  }
  t.true(performance.now() - began < 4000);
});

test('a follower gets all output of a container that is removed as soon as it has exited', async (t) => {
  const { container, driver, logs, run, source } = await open(t, 30_000);
  driver.writeDelay = 200;
  await run(lines(3));
  const { signal } = new AbortController();
  const running = { ...source, isRunning: () => !hasExited };
  let hasExited = false;
  let output = '';
  const following = (async () => {
    for await (const piece of logs.read(running, { stdout: true, stderr: true, follow: true, signal })) {
      output += Buffer.from(piece).toString();
    }
  })();
  hasExited = true;
  await Promise.all([logs.remove(container), following]);
  t.is(output, 'x\nx\nx\n');
});

test('a removal does not wait for a client that takes no output', async (t) => {
  const { container, logs, run, source } = await open(t, 30_000);
  await run(lines(3));
  const { signal } = new AbortController();
  const pieces = logs.read(source, { stdout: true, stderr: true, follow: true, signal })[Symbol.asyncIterator]();
  await pieces.next();
  await logs.remove(container);
  t.true((await pieces.next()).done);
});

test('of a log that has stalled an answer without stderr, which has no room for a notice, fails', async (t) => {
  const { driver, logs, run, source } = await open(t, 100);
  driver.writeDelay = 1000;
  await run(lines(10));
  const { signal } = new AbortController();
  const pieces = logs.read(source, { stdout: true, stderr: false, signal })[Symbol.asyncIterator]();
  await t.throwsAsync(async () => pieces.next(), { message: /incomplete log/ });
});

test('what an earlier daemon left in a spool is in the log before the spools of others were looked for', async (t) => {
  const { container, logs, read } = await open(t, 30_000);
  await writeFile(logs.spoolFor(container, 1n) ?? '', lines(3));
  logs.finish(container.id); // the run that the spool was for is no longer being prepared
  t.is(await read(), 'x\nx\nx\n');
});

test('the spool of a run that is being prepared is left to it', async (t) => {
  const { container, logs, read } = await open(t, 30_000);
  const spool = logs.spoolFor(container, 1n) ?? '';
  await writeFile(spool, lines(1));
  await logs.sweep([container]);
  t.is(await read(), '');
  await appendFile(spool, lines(2));
  logs.start(container, spool);
  logs.finish(container.id);
  t.is(await read(), 'x\nx\nx\n');
});
