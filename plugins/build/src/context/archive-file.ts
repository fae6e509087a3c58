import { createReadStream } from 'node:fs';
import type { ArchiveDriver } from '@gantry/core/contracts';

const blockSize = 512;

/** Magic numbers of gzip, bzip2, xz and zstd. */
const magics = ['1f8b', '425a68', 'fd377a585a00', '28b52ffd'];

const isCompressed = (head: Buffer): boolean => magics.some((magic) => head.toString('hex', 0, 6).startsWith(magic));

/** Whether a block is the header of a tar entry, by its checksum. */
function isTarHeader(block: Buffer): boolean {
  if (block.length < blockSize) return false;
  const digits = block.subarray(148, 156).toString('latin1').replace(/\0.*$/s, '');
  let sum = 8 * 32;
  for (let at = 0; at < blockSize; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return Number.parseInt(digits.trim(), 8) === sum && sum > 8 * 32;
}

/** Whether data begins like an archive, compressed or not. */
export const looksPacked = (head: Buffer): boolean => isCompressed(head) || isTarHeader(head);

/** Whether a file is a tar, compressed or not: its first block is a header. */
export async function isArchive(file: string, archive: Pick<ArchiveDriver, 'expand'>): Promise<boolean> {
  const head = await firstBlock(createReadStream(file, { end: blockSize - 1 }));
  if (!isCompressed(head)) return isTarHeader(head);
  try {
    return isTarHeader(await firstBlock(await archive.expand(createReadStream(file))));
  } catch {
    // Not decompressible: a plain file.
    return false;
  }
}

async function firstBlock(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= blockSize) break;
  }
  return Buffer.concat(chunks).subarray(0, blockSize);
}
