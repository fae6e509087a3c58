/** Room for an encoded batch of a mebibyte. */
const size = 1792 * 1024;

/** Free buffers. A sink needs one only while it writes, and there may be a thousand sinks. */
const free: Buffer[] = [];

/** A buffer of at least `minimum` bytes to encode into, until `releaseScratch`. */
export const acquireScratch = (minimum: number): Buffer =>
  minimum > size ? Buffer.allocUnsafeSlow(minimum) : (free.pop() ?? Buffer.allocUnsafeSlow(size));

export function releaseScratch(buffer: Buffer): void {
  if (buffer.length === size && free.length < 2) free.push(buffer);
}
