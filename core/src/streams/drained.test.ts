import { PassThrough } from 'node:stream';
import test from 'ava';
import { drained } from './drained.js';

for (const event of ['drain', 'close']) {
  test(`resolves at "${event}" and leaves no listener`, async (t) => {
    const stream = new PassThrough();
    const before = stream.eventNames();
    const waiting = drained(stream);
    stream.emit(event);
    await t.notThrowsAsync(waiting);
    t.deepEqual(stream.eventNames(), before);
  });
}
