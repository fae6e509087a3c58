import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import test from 'ava';
import { EngineError } from '../errors/engine-error.js';
import { BoundedQueue, type QueueOptions } from './bounded-queue.js';
import { drainQueue } from './drain-queue.js';
import { FanOut } from './fan-out.js';

const text = (limit: number, extra: Partial<QueueOptions<string>> = {}): QueueOptions<string> => ({
  limit,
  sizeOf: (item) => item.length,
  ...extra,
});

const all = async (queue: BoundedQueue<string>): Promise<string[]> => {
  const items: string[] = [];
  for await (const item of queue) items.push(item);
  return items;
};

const signal = new AbortController().signal;

test('items come out in order, also those pushed while the reader waits', async (t) => {
  const queue = new BoundedQueue(text(100));
  const read = all(queue);
  queue.push('a');
  await new Promise(setImmediate);
  queue.push('b');
  queue.push('c');
  queue.end();
  t.deepEqual(await read, ['a', 'b', 'c']);
  t.false(queue.push('d'));
});

test('a full queue fails with the reason and forgets what waits', async (t) => {
  const queue = new BoundedQueue(text(5));
  t.true(queue.push('12345'));
  t.false(queue.push('6'));
  t.is(queue.size, 0);
  const error = await t.throwsAsync(all(queue), { message: /too slow: 5 of at most 5 bytes wait/ });
  t.true(EngineError.is(error) && error.kind === 'unavailable');
});

test('a full queue that may lose puts a marker where items are missing', async (t) => {
  const queue = new BoundedQueue(text(5, { lost: (lost) => `[${lost.items}:${lost.size}]` }));
  t.true(queue.push('12345'));
  t.false(queue.push('67'));
  t.false(queue.push('8'));
  const reader = queue[Symbol.asyncIterator]();
  t.is((await reader.next()).value, '12345');
  t.true(queue.push('9'));
  queue.push('too long by far');
  queue.end();
  const rest: string[] = [];
  for await (const item of { [Symbol.asyncIterator]: () => reader }) rest.push(item);
  t.deepEqual(rest, ['[2:3]', '9', '[1:15]']);
});

test('a reader that has caught up gets a gap notice, even without new items', async (t) => {
  const queue = new BoundedQueue(text(5, { lost: (lost) => `[${lost.items}:${lost.size}]` }));
  queue.push('12345');
  queue.push('67');
  const reader = queue[Symbol.asyncIterator]();
  t.is((await reader.next()).value, '12345');
  t.is((await reader.next()).value, '[1:2]');
  queue.end();
  t.true((await reader.next()).done);
});

test('one item above the limit passes an empty queue', (t) => {
  t.true(new BoundedQueue(text(2)).push('long'));
});

test('portions hold as much as was asked for and at least one item', async (t) => {
  const queue = new BoundedQueue(text(100));
  for (const item of ['aa', 'bb', 'cccccc', 'd']) queue.push(item);
  queue.end();
  const batches: string[][] = [];
  for await (const batch of queue.batches(4)) batches.push(batch);
  t.deepEqual(batches, [['aa', 'bb'], ['cccccc'], ['d']]);
});

test('leaving the loop cancels the queue', async (t) => {
  const fanOut = new FanOut<string>();
  const queue = fanOut.subscribe(text(100));
  fanOut.push('a');
  for await (const _ of queue) break;
  t.false(queue.isOpen);
  t.is(fanOut.readers, 0);
});

test('a reader that does not read fails alone', async (t) => {
  const fanOut = new FanOut<string>();
  const stuck = fanOut.subscribe(text(2));
  const good = fanOut.subscribe(text(100));
  for (const item of ['a', 'b', 'c', 'd']) fanOut.push(item);
  fanOut.end();
  t.deepEqual(await all(good), ['a', 'b', 'c', 'd']);
  t.true(stuck.failed.aborted);
  t.is(fanOut.readers, 0);
});

test('a subscription after the end yields nothing', async (t) => {
  const fanOut = new FanOut<string>();
  fanOut.end();
  t.deepEqual(await all(fanOut.subscribe(text(1))), []);
});

test('a source that waits for room loses nothing with a slow reader', async (t) => {
  const fanOut = new FanOut<string>({ stallTimeout: 60_000 });
  const queue = fanOut.subscribe(text(4));
  const read = (async () => {
    let length = 0;
    for await (const batch of queue.batches(1)) {
      length += batch.length;
      await new Promise(setImmediate);
    }
    return length;
  })();
  for (let count = 0; count < 100; count++) {
    await fanOut.room();
    fanOut.push('x');
  }
  fanOut.end();
  t.is(await read, 100);
});

test('a reader that stands still holds the source up once', async (t) => {
  const fanOut = new FanOut<string>({ stallTimeout: 20 });
  const stuck = fanOut.subscribe(text(4));
  for (const item of ['a', 'b', 'c']) fanOut.push(item);
  await fanOut.room();
  t.true(stuck.isOpen);
  t.is(fanOut.room(), undefined);
  fanOut.push('d');
  fanOut.push('e');
  t.true(stuck.failed.aborted);
});

test('a queue is written to a sink at the sink’s pace', async (t) => {
  const sink = new PassThrough({ highWaterMark: 10 });
  const queue = new BoundedQueue(text(1000));
  const done = drainQueue(queue, sink, (items) => Buffer.from(items.join('')), { signal });
  for (let count = 0; count < 50; count++) queue.push('0123456789');
  queue.end();
  let length = 0;
  sink.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  await done;
  t.false(sink.writableEnded);
  sink.end();
  await once(sink, 'end');
  t.is(length, 500);
});

test('a sink that never drains is destroyed when its queue overflows', async (t) => {
  const sink = new Writable({ highWaterMark: 1, write: () => undefined });
  const queue = new BoundedQueue(text(4));
  const done = drainQueue(queue, sink, (items) => Buffer.from(items.join('')), { signal });
  queue.push('abc');
  await new Promise(setImmediate);
  queue.push('abcd');
  queue.push('e');
  await t.throwsAsync(done, { message: /too slow/ });
  t.true(sink.destroyed);
});

test('a sink that closes cancels its queue', async (t) => {
  const sink = new PassThrough();
  const queue = new BoundedQueue(text(4));
  const done = drainQueue(queue, sink, (items) => Buffer.from(items.join('')), { signal });
  sink.destroy();
  await done;
  t.false(queue.isOpen);
});
