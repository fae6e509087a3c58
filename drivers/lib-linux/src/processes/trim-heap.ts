import { SystemCall } from '../system-calls/system-call.js';

const mallocTrim = new SystemCall<[pad: number]>('malloc_trim', 'int', ['size_t']);

/**
 * Returns free heap memory of the C library to the kernel (malloc_trim(3)): what exited threads and freed buffers left,
 * tens of megabytes after large archives. Takes milliseconds, on a thread of the pool. No effect with a C library that
 * lacks it.
 */
export async function trimHeap(): Promise<void> {
  try {
    await mallocTrim.attemptLater(0);
  } catch {
    // Ignored: it is only an optimization.
  }
}
