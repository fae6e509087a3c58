import { readSync } from 'node:fs';
import { expand } from '../compression/expand.js';
import { ExpansionLimit } from '../compression/expansion-limit.js';
import type { ExtractRequest } from '../pool/jobs.js';
import type { JobContext } from './job-context.js';

const pieceSize = 1024 * 1024;

/**
 * The uncompressed archive, piece by piece: from an open file, or from the channel. A piece is valid until the next one is
 * requested.
 */
export function sourcePieces(
  { file, compression, maxBytes }: ExtractRequest,
  fd: number | undefined,
  context: JobContext,
): AsyncGenerator<Buffer> {
  const mayReuse = compression === 'none';
  const pieces = file === undefined || fd === undefined ? context.input() : filePieces(fd, file, mayReuse);
  return expand(pieces, compression, new ExpansionLimit(maxBytes, (bytes) => context.reportRead(bytes)));
}

/** A part of an open file. Its memory can be used again only where nothing reads ahead. */
export async function* filePieces(
  fd: number,
  { offset, length }: { readonly offset: number; readonly length: number | undefined },
  reuseMemory = false,
): AsyncGenerator<Buffer> {
  const reused = reuseMemory ? Buffer.allocUnsafeSlow(pieceSize) : undefined;
  let position = offset;
  const end = length === undefined ? Number.POSITIVE_INFINITY : offset + length;
  while (position < end) {
    const buffer = reused ?? Buffer.allocUnsafeSlow(pieceSize);
    const bytes = readSync(fd, buffer, 0, Math.min(buffer.length, end - position), position);
    if (bytes === 0) return;
    position += bytes;
    yield buffer.subarray(0, bytes);
  }
}
