import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import { AF_UNIX, O_CLOEXEC, O_PATH, SOCK_CLOEXEC, SOCK_NONBLOCK, SOCK_SEQPACKET } from '../ffi/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';
import { PacketStream } from './packet-stream.js';
import type { Seqpacket, SeqpacketConnection } from './seqpacket.js';
import { unixAddress } from './unix-address.js';

const socket = new SystemCall<[number, number, number]>('socket', 'int', ['int', 'int', 'int']);
const connectCall = new SystemCall<[number, Uint8Array, number]>('connect', 'int', ['int', 'void *', 'uint']);

/** How long to wait while the listener's backlog is full, in milliseconds. */
const connectTimeout = 5_000;

async function connect(path: string, options: { readonly signal?: AbortSignal } = {}): Promise<SeqpacketConnection> {
  const { signal } = options;
  signal?.throwIfAborted();
  const fd = socket.call(path, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  try {
    const deadline = Date.now() + connectTimeout;
    for (;;) {
      try {
        connectOnce(fd, path);
        return new PacketStream(fd);
      } catch (error) {
        if (!isErrno(error, 'EAGAIN') || Date.now() > deadline) throw error;
      }
      await delay(5, undefined, signal === undefined ? {} : { signal });
    }
  } catch (error) {
    closeDescriptor(fd);
    throw error;
  }
}

function connectOnce(fd: number, path: string): void {
  const address = unixAddress(path);
  if (address !== undefined) {
    connectCall.call(path, fd, address, address.length);
    return;
  }
  const directory = openSync(dirname(path), O_PATH | O_CLOEXEC);
  try {
    const short = unixAddress(`/proc/self/fd/${directory}/${basename(path)}`);
    if (short === undefined) throw new LinuxError('ENAMETOOLONG', 'connect', { path });
    connectCall.call(path, fd, short, short.length);
  } finally {
    closeSync(directory);
  }
}

export const kernelSeqpacket: Seqpacket = { connect };
