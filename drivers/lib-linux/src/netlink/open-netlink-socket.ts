import { closeDescriptor } from '../ffi/close-descriptor.js';
import { AF_NETLINK, SO_RCVBUF, SO_RCVTIMEO, SOCK_CLOEXEC, SOCK_RAW, SOL_SOCKET } from '../ffi/constants.js';
import { SystemCall } from '../ffi/system-call.js';
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

/** How long an answer may take, in s. It is there when a send returns; were that ever wrong, we must not stand still. */
const patience = 5n;

/** A bound netlink socket of the namespace the thread is in. The caller's to close. */
export function openNetlinkSocket(protocol: number): number {
  const fd = socket.call('netlink', AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
  try {
    const on = Int32Array.of(1);
    // Each is an improvement that older kernels lack: reasons in words, short answers, dumps filtered at the source.
    for (const option of [NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK]) {
      setsockopt.attempt(fd, SOL_NETLINK, option, on, 4);
    }
    setsockopt.attempt(fd, SOL_SOCKET, SO_RCVBUF, Int32Array.of(1 << 20), 4);
    const time = Buffer.alloc(16);
    time.writeBigInt64LE(patience);
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
