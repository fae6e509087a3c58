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
 * without its end is left out; one that no block could hold is damage, and left out too. A block is good until the next
 * one is asked for, which is read meanwhile.
 */
export async function* readBlocks(file: LogFile, from: number, end = Number.POSITIVE_INFINITY): AsyncGenerator<Block> {
  const buffers: Buffer[] = [];
  const read = async (at: number): Promise<Buffer> => {
    const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(Math.min(blockSize, end - at));
    const length = Math.min(buffer.length, end - at);
    const { bytesRead } = length === 0 ? { bytesRead: 0 } : await file.handle.read(buffer, 0, length, at);
    return buffer.subarray(0, bytesRead);
  };
  let next: Promise<Buffer> | undefined;
  try {
    for (let at = from, isInside = false; at < end; ) {
      const bytes = await (next ?? read(at));
      next = undefined;
      if (bytes.length === 0) return;
      const first = isInside ? bytes.indexOf(0x0a) + 1 : 0;
      const last = bytes.lastIndexOf(0x0a) + 1;
      const isFull = bytes.length === blockSize;
      if (last === 0 && !isFull) return;
      isInside = last === 0;
      at += isInside ? bytes.length : last;
      if (isFull && !isInside) next = read(at);
      next?.catch(() => undefined); // an error is thrown where the bytes are taken
      if (last > first) yield { bytes: bytes.subarray(first, last), nextAt: at };
      if (isFull) buffers.push(Buffer.from(bytes.buffer));
    }
  } finally {
    // The file must not be closed under it.
    await next?.catch(() => undefined);
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
