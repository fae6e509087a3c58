import { SystemCall } from '../ffi/system-call.js';

const mallocTrim = new SystemCall<[pad: number]>('malloc_trim', 'int', ['size_t']);

/**
 * Gives memory that the C library keeps for later back to the kernel: what threads that have ended and buffers that
 * are gone have left in it, tens of megabytes after large archives. Takes milliseconds, on a thread of the pool. Does
 * nothing with a C library that cannot do that.
 */
export async function releaseMemory(): Promise<void> {
  try {
    await mallocTrim.attemptLater(0);
  } catch {
    // Memory comes back another way, or not; nothing depends on it.
  }
}
