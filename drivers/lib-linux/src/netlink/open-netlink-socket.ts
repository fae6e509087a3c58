import { AF_NETLINK, SO_RCVBUF, SO_RCVTIMEO, SOCK_CLOEXEC, SOCK_RAW, SOL_SOCKET } from '../ffi/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';
import { NETLINK_CAP_ACK, NETLINK_EXT_ACK, NETLINK_GET_STRICT_CHK, SOL_NETLINK } from './constants.js';

const socket = new SystemCall<[number, number, number]>('socket', 'int', ['int', 'int', 'int']);
const bind = new SystemCall<[number, Uint8Array, number]>('bind', 'int', ['int', 'void *', 'uint']);
const setsockopt = new SystemCall<[number, number, number, Uint8Array | Int32Array, number]>('setsockopt', 'int', [
  'int',
  'int',
  'int',
  'void *',
  'uint',
]);

/** Receive timeout, in seconds. Answers are there when a send returns; a blocking receive must not hang the thread. */
const receiveTimeout = 5n;

/** A bound netlink socket of the thread's namespace. The caller closes it. */
export function openNetlinkSocket(protocol: number): number {
  const fd = socket.call('netlink', AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
  try {
    const on = Int32Array.of(1);
    // Older kernels lack these: error texts, short acknowledgements, dumps filtered by the kernel.
    for (const option of [NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK]) {
      setsockopt.attempt(fd, SOL_NETLINK, option, on, 4);
    }
    setsockopt.attempt(fd, SOL_SOCKET, SO_RCVBUF, Int32Array.of(1 << 20), 4);
    const time = Buffer.alloc(16);
    time.writeBigInt64LE(receiveTimeout);
    setsockopt.call('netlink', fd, SOL_SOCKET, SO_RCVTIMEO, time, time.length);
    const address = Buffer.alloc(12);
    address.writeUInt16LE(AF_NETLINK);
    bind.call('netlink', fd, address, address.length);
    return fd;
  } catch (error) {
    closeDescriptor(fd);
    throw error;
  }
}
