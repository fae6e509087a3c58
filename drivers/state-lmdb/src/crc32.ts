const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) !== 0 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (IEEE) of several pieces as of one. `zlib.crc32` is younger than the oldest Node this runs on. */
export function crc32(...pieces: readonly Uint8Array[]): number {
  let crc = 0xffff_ffff;
  for (const bytes of pieces) {
    for (let index = 0; index < bytes.length; index++) {
      crc = (table[(crc ^ (bytes[index] as number)) & 0xff] as number) ^ (crc >>> 8);
    }
  }
  return ~crc >>> 0;
}
