import type { Koffi } from './native.js';

/** Of mallopt(3). */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;

/** What an arena may keep for later, and from where on memory is the kernel's at once when it is let go; in bytes. */
const mostKept = 256 * 1024;
const leastOfItsOwn = 2 ** 20;

/**
 * Has the C library keep little memory that nobody uses. By itself it keeps twice the largest piece that was ever let go,
 * up to 64 MiB, in each of its arenas: those of V8's own threads then hold two megabytes each that were needed once, which
 * even malloc_trim(3) does not give back.
 */
export function keepLittle(koffi: Koffi): void {
  try {
    const mallopt = koffi.load(null).func('int mallopt(int parameter, int value)');
    mallopt(M_TRIM_THRESHOLD, mostKept);
    mallopt(M_MMAP_THRESHOLD, leastOfItsOwn);
  } catch {
    // A C library without that has other ways.
  }
}
