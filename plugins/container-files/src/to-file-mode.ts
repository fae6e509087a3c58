const typeBits: Readonly<Record<number, number>> = {
  0o040000: 31,
  0o120000: 27,
  0o060000: 26,
  0o010000: 25,
  0o140000: 24,
};

/** Bits above the permissions, as the clients of this API read them: `st_mode` to the numbers of Go's `os.FileMode`. */
export function toFileMode(mode: number): number {
  const type = mode & 0o170000;
  let bits = mode & 0o777;
  // Character devices have two: device, and which kind.
  if (type === 0o020000) bits += 2 ** 26 + 2 ** 21;
  const typeBit = typeBits[type];
  if (typeBit !== undefined) bits += 2 ** typeBit;
  if (mode & 0o4000) bits += 2 ** 23;
  if (mode & 0o2000) bits += 2 ** 22;
  if (mode & 0o1000) bits += 2 ** 20;
  return bits;
}
