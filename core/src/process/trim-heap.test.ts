import { getHeapStatistics } from 'node:v8';
import test from 'ava';
import { trimHeap } from './trim-heap.js';

test('returns the pages of garbage to the kernel, and does not expose the collector', (t) => {
  const kept: object[] = [];
  let dropped: object[] | undefined = [];
  for (let count = 0; count < 150_000; count++) {
    const made = { count, text: [count, count] };
    if (count % 100 === 0) kept.push(made);
    else dropped.push(made);
  }
  t.is(dropped.length, 148_500);
  dropped = undefined;
  const before = getHeapStatistics().total_physical_size;
  trimHeap();
  const after = getHeapStatistics().total_physical_size;
  t.true(after < before - 4 * 2 ** 20, `${before} bytes before, ${after} after`);
  t.is(kept.length, 1500);
  t.is(typeof globalThis.gc, 'undefined');
});
