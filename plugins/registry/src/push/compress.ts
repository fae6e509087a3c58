import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Large pieces: each is one trip to the thread pool. */
const chunkSize = 2 ** 20;

interface Compressed {
  readonly digest: string;
  readonly size: number;
}

/** Compresses a layer into a file, on the thread pool. Equal layers make equal blobs. */
export async function compress(
  tar: Readable,
  file: string,
  options: { readonly signal: AbortSignal; readonly onBytes: (read: number) => void },
): Promise<Compressed> {
  const hash = createHash('sha256');
  let size = 0;
  let read = 0;
  await pipeline(
    tar,
    async function* counted(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        read += chunk.length;
        options.onBytes(read);
        yield chunk;
      }
    },
    createGzip({ chunkSize }),
    async function* hashed(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(file, { mode: 0o600, highWaterMark: chunkSize }),
    { signal: options.signal },
  );
  return { digest: `sha256:${hash.digest('hex')}`, size };
}
