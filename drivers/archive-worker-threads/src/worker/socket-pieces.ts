import { readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { invalidArgument } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import { awaitReadable } from '@gantry/lib-linux/files';
import type { SocketSource } from '../pool/jobs.js';
import { SocketProgress } from '../pool/socket-progress.js';
import type { JobContext } from './job-context.js';

/** More than a socket holds. */
const pieceSize = 256 * 1024;
/** Milliseconds between two looks at whether the job is to go on. */
const patience = 100;

/** A body, read of the connection it comes by. Its memory can be used again only where nothing reads ahead. */
export async function* socketPieces(
  { beginning, descriptor, length, idle, progress: memory }: SocketSource,
  context: JobContext,
  reuseMemory: boolean,
): AsyncGenerator<Buffer> {
  const progress = new SocketProgress(memory);
  yield Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const reused = reuseMemory ? Buffer.allocUnsafeSlow(pieceSize) : undefined;
  for (let left = length; left > 0; ) {
    const buffer = reused ?? Buffer.allocUnsafeSlow(pieceSize);
    const most = Math.min(buffer.length, left);
    let bytes = readSome(descriptor, buffer, most, progress);
    while (bytes === undefined) {
      await arrival(descriptor, idle, progress, context);
      bytes = readSome(descriptor, buffer, most, progress);
    }
    if (bytes === 0) throw invalidArgument('the body of the request ended early');
    left -= bytes;
    yield buffer.subarray(0, bytes);
  }
}

/** Undefined when there is nothing yet. */
function readSome(fd: number, buffer: Buffer, most: number, progress: SocketProgress): number | undefined {
  try {
    return progress.reading(() => readSync(fd, buffer, 0, most, null));
  } catch (error) {
    if (isErrno(error, 'EAGAIN')) return undefined;
    if (isErrno(error, 'ECONNRESET')) return 0;
    throw error;
  }
}

async function arrival(fd: number, idle: number, progress: SocketProgress, context: JobContext): Promise<void> {
  if (awaitReadable(fd, 1)) return;
  progress.waits();
  const began = performance.now();
  try {
    while (!awaitReadable(fd, patience)) {
      context.throwIfAborted();
      if (idle > 0 && performance.now() - began >= idle) {
        progress.givesUp();
        const seconds = idle / 1000;
        throw invalidArgument(`the next part of the body of the request did not arrive within ${seconds} s`);
      }
      // What else this thread has begun, such as expanding what has come, goes on.
      await turn();
    }
  } finally {
    progress.goesOn();
  }
}
