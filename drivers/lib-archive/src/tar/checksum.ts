/** The sum of a header's bytes with the checksum field itself read as blanks; old tars summed signed bytes. */
export function checksums(header: Buffer): { readonly unsigned: number; readonly signed: number } {
  let unsigned = 8 * 0x20;
  let negative = 0;
  for (let at = 0; at < 512; at++) {
    if (at === 148) at = 156;
    const byte = header[at] ?? 0;
    unsigned += byte;
    negative += byte >> 7;
  }
  return { unsigned, signed: unsigned - negative * 256 };
}

const zeros = Buffer.alloc(512);

export const isZeroBlock = (block: Buffer): boolean => block[0] === 0 && block.equals(zeros);
