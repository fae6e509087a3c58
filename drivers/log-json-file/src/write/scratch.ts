/** Room for what becomes of a batch of a mebibyte. */
const size = 1792 * 1024;

/** Buffers that are free. Sinks need one only while they write, and there may be a thousand sinks. */
const free: Buffer[] = [];

/** A buffer to encode into, until `giveBack`; of at least `minimum` bytes. */
export const takeScratch = (minimum: number): Buffer =>
  minimum > size ? Buffer.allocUnsafeSlow(minimum) : (free.pop() ?? Buffer.allocUnsafeSlow(size));

export function giveBack(buffer: Buffer): void {
  if (buffer.length === size && free.length < 2) free.push(buffer);
}
