import test from 'ava';
import { library } from './native.js';

test('memory let go is the kernel’s again, also after a large piece', (t) => {
  const libc = library(null);
  const malloc = libc.func('void *malloc(size_t size)');
  const free = libc.func('void free(void *memory)');
  const memset = libc.func('void *memset(void *memory, int byte, size_t size)');
  const take = (size: number): unknown => memset(malloc(size), 1, size);
  // The C library takes the size of this for what it may keep from now on, unless it is told otherwise.
  free(take(24 * 2 ** 20));
  const pieces = Array.from({ length: 320 }, () => take(2 ** 16));
  const used = process.memoryUsage.rss();
  for (const piece of pieces.reverse()) free(piece);
  const given = used - process.memoryUsage.rss();
  t.true(given > 10 * 2 ** 20, `${given} of ${pieces.length * 2 ** 16} bytes were given back`);
});
