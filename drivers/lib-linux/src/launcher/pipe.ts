import { createReadStream, createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { O_CLOEXEC } from '../ffi/constants.js';
import { SystemCall } from '../system-calls/system-call.js';

const pipe2 = new SystemCall<[ends: Int32Array, flags: number]>('pipe2', 'int', ['void *', 'int']);

export interface PipeEnds {
  readonly readFd: number;
  readonly writeFd: number;
}

/** A pipe that programs do not inherit unless they are given an end. Both ends are the caller's. */
export function pipe(): PipeEnds {
  const ends = new Int32Array(2);
  pipe2.call(undefined, ends, O_CLOEXEC);
  const [readFd = -1, writeFd = -1] = ends;
  return { readFd, writeFd };
}

/** Reads a pipe, FIFO, socket or file without blocking. Owns the descriptor from now on. */
export function readableFrom(fd: number): Readable {
  if (!isPipeLike(fd)) return createReadStream('', { fd });
  return new Socket({ fd, readable: true, writable: false });
}

/** Writes to a pipe, FIFO, socket or file without blocking. Owns the descriptor from now on. */
export function writableTo(fd: number): Writable {
  if (!isPipeLike(fd)) return createWriteStream('', { fd });
  return new Socket({ fd, readable: false, writable: true });
}

function isPipeLike(fd: number): boolean {
  const facts = fstatSync(fd);
  return facts.isFIFO() || facts.isSocket();
}
