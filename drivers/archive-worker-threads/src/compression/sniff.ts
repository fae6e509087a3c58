import type { LayerCompression } from '@gantry/core/contracts';

/** How many bytes {@link sniff} looks at. */
export const sniffedBytes = 6;

const magics: readonly (readonly [LayerCompression, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/** Detects the compression by the first bytes. */
export function sniff(beginning: Uint8Array): LayerCompression {
  const found = magics.find(([, magic]) => magic.every((byte, index) => beginning[index] === byte));
  if (found !== undefined) return found[0];
  // A skippable frame that zstd writers may begin with: 0x184D2A50 to 0x184D2A5F, little-endian.
  const isSkippable =
    ((beginning[0] ?? 0) & 0xf0) === 0x50 && beginning[1] === 0x2a && beginning[2] === 0x4d && beginning[3] === 0x18;
  return isSkippable ? 'zstd' : 'none';
}
