import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { trimHeap } from './trim-heap.js';

test('memory that buffers have left goes back to the kernel', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Every other one stays, so that no end of the heap is free by itself.
  const buffers = Array.from({ length: 2000 }, () => Buffer.allocUnsafeSlow(60_000).fill(1));
  const kept = buffers.filter((_, index) => index % 50 === 0);
  buffers.length = 0;
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  const before = process.memoryUsage.rss();
  await trimHeap();
  const after = process.memoryUsage.rss();
  t.true(before - after > 30 * 2 ** 20, `${before} became ${after}`);
  t.is(kept.length, 40);
});
