import type { ExpansionLimit } from './expansion-limit.js';
import { gunzip } from './gunzip.js';

/** Data without its gzip compression, or as it is. A piece is good until the next is asked for. */
export async function* expand(
  pieces: AsyncIterable<Buffer>,
  compression: 'none' | 'gzip',
  limit: ExpansionLimit,
): AsyncGenerator<Buffer> {
  for await (const piece of compression === 'gzip' ? gunzip(pieces, limit) : read(pieces, limit)) {
    limit.wrote(piece.length);
    yield piece;
  }
}

async function* read(pieces: AsyncIterable<Buffer>, limit: ExpansionLimit): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    limit.read(piece.length);
    yield piece;
  }
}
