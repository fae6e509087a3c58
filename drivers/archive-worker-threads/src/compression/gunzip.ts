import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalidArgument } from '@gantry/core/errors';
import { codeOf } from '@gantry/lib-archive/errors';
import type { ExpansionLimit } from './expansion-limit.js';

/** Pieces of 16 KiB, the default, would cost three times as much. */
const chunkSize = 1024 * 1024;

/** Expands gzip data, of one part or several. It runs on a thread of Node's pool while the caller works on a piece. */
export async function* gunzip(source: AsyncIterable<Buffer>, limit?: ExpansionLimit): AsyncGenerator<Buffer> {
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      limit?.read(piece.length);
      yield piece;
    }
  };
  const input = Readable.from(counted(), { objectMode: true });
  const expanded = createGunzip({ chunkSize });
  let sourceFailure: Error | undefined;
  input.once('error', (error) => {
    sourceFailure = error;
    expanded.destroy(error);
  });
  input.pipe(expanded);
  try {
    for await (const piece of expanded) yield piece as Buffer;
  } catch (error) {
    if (sourceFailure !== undefined) throw sourceFailure;
    if (codeOf(error)?.startsWith('Z_') !== true) throw error;
    throw invalidArgument(`the gzip data is damaged: ${(error as Error).message}`, { cause: error });
  } finally {
    input.destroy();
    expanded.destroy();
  }
}
