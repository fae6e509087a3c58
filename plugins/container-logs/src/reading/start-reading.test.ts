import { setTimeout as delay } from 'node:timers/promises';
import { notFound, unavailable } from '@gantry/core/errors';
import test from 'ava';
import { startReading } from './start-reading.js';

const [one, two] = [Buffer.from('one'), Buffer.from('two')];

async function collect(log: AsyncIterable<Uint8Array> | Uint8Array): Promise<string[]> {
  if (log instanceof Uint8Array) return ['whole', Buffer.from(log).toString()];
  const pieces: string[] = [];
  for await (const piece of log) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

test('a log of one piece is whole, and so is an empty one', async (t) => {
  const short = (async function* () {
    yield one;
  })();
  const empty = (async function* (): AsyncGenerator<Uint8Array> {})();
  t.deepEqual(await collect(await startReading(short)), ['whole', 'one']);
  t.deepEqual(await collect(await startReading(empty)), ['whole', '']);
});

test('a longer log is not waited for, and has all its pieces', async (t) => {
  let isAsked = false;
  const long = (async function* () {
    yield one;
    isAsked = true;
    await delay(5);
    yield two;
    yield one;
  })();
  const log = await startReading(long);
  t.true(isAsked, 'it is read on meanwhile');
  t.deepEqual(await collect(log), ['one', 'two', 'one']);
});

test('a log that fails behind its first piece fails where that is taken', async (t) => {
  const broken = async function* (wait: number): AsyncGenerator<Uint8Array> {
    yield one;
    if (wait > 0) await delay(wait);
    throw unavailable('incomplete log');
  };
  const late = await startReading(broken(5));
  await delay(10);
  await t.throwsAsync(collect(late), { message: 'incomplete log' });
  await t.throwsAsync(startReading(broken(0)), { message: 'incomplete log' });
});

test('a log that cannot be read at all fails, and one that is abandoned is closed', async (t) => {
  let isClosed = false;
  // biome-ignore lint/correctness/useYield: there is no log.
  const missing = (async function* (): AsyncGenerator<Uint8Array> {
    throw notFound('there is no log');
  })();
  await t.throwsAsync(startReading(missing), { message: 'there is no log' });
  const long = (async function* () {
    try {
      yield one;
      await delay(1);
      yield two;
    } finally {
      isClosed = true;
    }
  })();
  const log = await startReading(long);
  if (log instanceof Uint8Array) return t.fail();
  for await (const _ of log) break;
  t.true(isClosed);
});
