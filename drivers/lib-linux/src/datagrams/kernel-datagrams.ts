import { setTimeout as delay } from 'node:timers/promises';
import { LinuxError } from '../errors/linux-error.js';
import {
  AF_UNIX,
  MSG_DONTWAIT,
  MSG_NOSIGNAL,
  SO_SNDBUF,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOL_SOCKET,
} from '../ffi/constants.js';
import { sealedMemory } from '../files/sealed-memory.js';
import { unixAddress } from '../seqpacket/unix-address.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';
import type { DatagramSender, Datagrams } from './datagrams.js';
import { descriptorMessage } from './descriptor-message.js';

const socket = new SystemCall<[number, number, number]>('socket', 'int', ['int', 'int', 'int']);
const connectCall = new SystemCall<[number, Uint8Array, number]>('connect', 'int', ['int', 'void *', 'uint']);
const setsockopt = new SystemCall<[number, number, number, Int32Array, number]>('setsockopt', 'int', [
  'int',
  'int',
  'int',
  'void *',
  'uint',
]);
const sendTypes = ['int', 'void *', 'size_t', 'int'];
const sendCall = new SystemCall<[number, Uint8Array, number, number]>('send', 'int64_t', sendTypes);
const sendmsg = new SystemCall<[number, Uint8Array, number]>('sendmsg', 'int64_t', ['int', 'void *', 'int']);

const flags = MSG_DONTWAIT | MSG_NOSIGNAL;
const EAGAIN = 11;
const ENOBUFS = 105;
/** Bytes of the send buffer, which bounds a datagram; the kernel has a bound of its own. */
const sendBuffer = 8 * 2 ** 20;
/** The least and the most to wait for a full queue, in milliseconds. */
const shortWait = 1;
const longWait = 50;

function connect(path: string): DatagramSender {
  const address = unixAddress(path);
  if (address === undefined) throw new LinuxError('ENAMETOOLONG', 'connect', { path });
  const fd = socket.call(path, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  try {
    setsockopt.call(path, fd, SOL_SOCKET, SO_SNDBUF, Int32Array.of(sendBuffer), 4);
    connectCall.call(path, fd, address, address.length);
    return new KernelDatagramSender(fd, path);
  } catch (error) {
    closeDescriptor(fd);
    throw error;
  }
}

class KernelDatagramSender implements DatagramSender {
  #fd: number | undefined;

  constructor(
    fd: number,
    private readonly path: string,
  ) {
    this.#fd = fd;
  }

  send(bytes: Uint8Array, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return this.#insist('send', (fd) => sendCall.attempt(fd, bytes, bytes.length, flags), options.signal);
  }

  async sendMemory(bytes: Uint8Array, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const memory = sealedMemory(bytes, 'gantry-datagram');
    try {
      const message = descriptorMessage(memory);
      await this.#insist('sendmsg', (fd) => sendmsg.attempt(fd, message.header, flags), options.signal);
      // What the header points to lives until here.
      void message.held.length;
    } finally {
      closeDescriptor(memory);
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeDescriptor(this.#fd);
    this.#fd = undefined;
  }

  async #insist(call: string, attempt: (fd: number) => number, signal: AbortSignal | undefined): Promise<void> {
    for (let wait = shortWait; ; wait = Math.min(wait * 2, longWait)) {
      signal?.throwIfAborted();
      if (this.#fd === undefined) throw new LinuxError('EBADF', call, { path: this.path });
      const result = attempt(this.#fd);
      if (result >= 0) return;
      if (result !== -EAGAIN && result !== -ENOBUFS) throw new LinuxError(-result, call, { path: this.path });
      await delay(wait, undefined, signal === undefined ? {} : { signal });
    }
  }
}

export const kernelDatagrams: Datagrams = { connect };
