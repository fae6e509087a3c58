import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of a heap above which compacting it would delay clients by more than some 50 ms. */
const maxSize = 96 * 2 ** 20;

const flags = ['expose-gc', 'compact-on-every-full-gc'];

/**
 * Collects the garbage of this thread's heap and compacts it, so that whole pages are returned to the kernel. V8 itself
 * keeps garbage until as much again has been allocated. Takes 10 to 60 ms, on a busy host several times as
 * long; a large heap is left to V8. See docs/adr/0016.
 */
export function trimHeap(): void {
  if (getHeapStatistics().total_heap_size > maxSize) return;
  for (const flag of flags) setFlagsFromString(`--${flag}`);
  try {
    // Contexts made from now on have the function, the one there is does not get it.
    const collect = runInNewContext('globalThis.gc') as (() => void) | undefined;
    collect?.();
  } finally {
    for (const flag of flags) setFlagsFromString(`--no-${flag}`);
  }
}
