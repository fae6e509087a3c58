import { setTimeout as delay } from 'node:timers/promises';
import type { LogDriver } from '@gantry/core/contracts';
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
