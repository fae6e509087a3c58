import { setTimeout as delay } from 'node:timers/promises';
import type { LogDriver, LogQuery } from '@gantry/core/contracts';
import { notFound } from '@gantry/core/errors';
import { plainContainer } from '@gantry/lib-log/testing';
import test from 'ava';
import { readLogs } from './read-logs.js';

test('a container that runs and has written nothing has an empty log, however long that takes to find out', async (t) => {
  let reads = 0;
  const driver: Partial<LogDriver> = {
    capabilities: { read: true, worker: true, discards: false },
    // biome-ignore lint/correctness/useYield: there is no log.
    async *read() {
      reads++;
      throw notFound('there is no log');
    },
  };
  const logs = {
    driverOf: () => driver as LogDriver,
    caughtUp: async () => undefined,
    catchUp: () => delay(5, true),
  };
  const container = { ...plainContainer('/gone'), driver: '', terminal: false };
  const source = { container, isRunning: () => true, ended: async () => undefined };
  const { signal } = new AbortController();
  const pages = readLogs(logs, source, { stdout: true, stderr: true, signal })[Symbol.asyncIterator]();
  t.deepEqual(await pages.next(), { done: true, value: undefined });
  t.is(reads, 2, 'once more after all output is stored');
});

test('a follower’s log ends at the time of until, once the output of before is stored', async (t) => {
  let isStored = false;
  const driver: Partial<LogDriver> = {
    capabilities: { read: true, worker: true, discards: false },
    async *read(_container, { ended }: LogQuery) {
      await ended;
      t.true(isStored);
      yield { records: () => [] };
    },
  };
  const caughtUp = async () => {
    isStored = true;
  };
  const logs = { driverOf: () => driver as LogDriver, caughtUp, catchUp: () => Promise.resolve(true) };
  const container = { ...plainContainer('/gone'), driver: '', terminal: false };
  const never = new Promise<void>(() => undefined);
  const source = { container, isRunning: () => true, ended: () => never };
  const { signal } = new AbortController();
  const until = BigInt(Date.now() + 20) * 1_000_000n;
  const request = { stdout: true, stderr: true, follow: true, until, signal };
  for await (const page of readLogs(logs, source, request)) t.is(page.length, 0);
  t.true(isStored);
  t.true(Date.now() >= Number(until / 1_000_000n));
});

test('an empty log is read once more although its driver has stalled: what was stored meanwhile is in the answer', async (t) => {
  let reads = 0;
  const driver: Partial<LogDriver> = {
    capabilities: { read: true, worker: true, discards: false },
    async *read() {
      if (++reads === 1) throw notFound('there is no log');
      yield { records: () => [{ stream: 'stdout' as const, time: 0n, line: Buffer.from('stored'), partial: false }] };
    },
  };
  const logs = {
    driverOf: () => driver as LogDriver,
    caughtUp: async () => undefined,
    catchUp: () => delay(5, false),
  };
  const container = { ...plainContainer('/gone'), driver: '', terminal: true };
  const source = { container, isRunning: () => false, ended: async () => undefined };
  const { signal } = new AbortController();
  let text = '';
  for await (const bytes of readLogs(logs, source, { stdout: true, stderr: true, signal })) {
    text += Buffer.from(bytes).toString();
  }
  t.is(text, 'stored\n[incomplete log: the log driver has not stored all output yet]\n');
});

test('a followed log whose last output cannot be stored ends, and says so', async (t) => {
  const driver: Partial<LogDriver> = {
    capabilities: { read: true, worker: true, discards: false },
    async *read(_container, { ended }: LogQuery) {
      await ended;
      yield { records: () => [] };
    },
  };
  const logs = {
    driverOf: () => driver as LogDriver,
    caughtUp: () => Promise.reject(new Error('the spool cannot be read')),
    catchUp: () => Promise.resolve(true),
  };
  const container = { ...plainContainer('/gone'), driver: '', terminal: true };
  const source = { container, isRunning: () => true, ended: async () => undefined };
  const { signal } = new AbortController();
  let text = '';
  for await (const bytes of readLogs(logs, source, { stdout: true, stderr: true, follow: true, signal })) {
    text += Buffer.from(bytes).toString();
  }
  t.is(text, '[incomplete log: the log driver has not stored all output yet]\n');
});
