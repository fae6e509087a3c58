import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { LogFile } from './open-files.js';

/** Long enough for the longest line there can be, and short enough to keep many readers in little memory. */
export const blockSize = 256 * 1024;

/** Whole lines of a file, and where in it the next ones begin. */
export interface Block {
  readonly bytes: Buffer;
  readonly nextAt: number;
}

/**
 * The lines of a file from a place on, in blocks, up to `end` or to the end that it has when it is reached. A last line
 * without its end is left out; one that no block could hold is damage, and left out too.
 */
export async function* readBlocks(file: LogFile, from: number, end = Number.POSITIVE_INFINITY): AsyncGenerator<Block> {
  for (let at = from, isInside = false; at < end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(blockSize, end - at));
    const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    const read = buffer.subarray(0, bytesRead);
    const first = isInside ? read.indexOf(0x0a) + 1 : 0;
    const last = read.lastIndexOf(0x0a) + 1;
    if (last === 0) {
      if (bytesRead < blockSize) return;
      isInside = true;
      at += bytesRead;
      continue;
    }
    isInside = false;
    at += last;
    if (last > first) yield { bytes: read.subarray(first, last), nextAt: at };
  }
}

/** The lines of a compressed file in blocks. Ends where the file is damaged. */
export async function* readCompressedBlocks(file: LogFile): AsyncGenerator<Buffer> {
  const unzipped = createGunzip({ chunkSize: blockSize });
  // A failure shows in the stream that is read below, too.
  void pipeline(bytesOf(file), unzipped).catch(() => undefined);
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const last = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(last);
      if (last > 0) yield bytes.subarray(0, last);
    }
  } catch {
    // What comes after is not to be had; the next file is.
  } finally {
    unzipped.destroy();
  }
}

async function* bytesOf({ handle }: LogFile): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
