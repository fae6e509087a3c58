import { PassThrough } from 'node:stream';
import test from 'ava';
import { drained } from './drained.js';

/** A stream whose buffer is full. */
function full(): PassThrough {
  const stream = new PassThrough({ highWaterMark: 1 });
  stream.on('error', () => undefined);
  stream.write('ab');
  return stream;
}

for (const event of ['drain', 'close']) {
  test(`resolves at "${event}" and leaves no listener`, async (t) => {
    const stream = full();
    const before = stream.eventNames();
    const waiting = drained(stream);
    stream.emit(event);
    await t.notThrowsAsync(waiting);
    t.deepEqual(stream.eventNames(), before);
  });
}

test('resolves when the stream fails', async (t) => {
  const stream = full();
  const waiting = drained(stream);
  stream.destroy(new Error('failed'));
  await t.notThrowsAsync(waiting);
});

test('resolves at once for a stream that takes more, and for one that was destroyed', async (t) => {
  await t.notThrowsAsync(drained(new PassThrough()));
  const destroyed = full();
  destroyed.destroy();
  await t.notThrowsAsync(drained(destroyed));
});
