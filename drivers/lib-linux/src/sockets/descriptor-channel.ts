import { AF_UNIX, MSG_NOSIGNAL, SO_RCVTIMEO, SOCK_CLOEXEC, SOCK_STREAM, SOL_SOCKET } from '../ffi/constants.js';
import { koffi } from '../ffi/native.js';
import { SystemCall } from '../system-calls/system-call.js';

const socketpair = new SystemCall<[number, number, number, Int32Array]>('socketpair', 'int', [
  'int',
  'int',
  'int',
  'void *',
]);
const messageTypes = ['int', 'void *', 'int'];
const sendmsg = new SystemCall<[number, Uint8Array, number]>('sendmsg', 'int64_t', messageTypes);
const recvmsg = new SystemCall<[number, Uint8Array, number]>('recvmsg', 'int64_t', messageTypes);
const setsockopt = new SystemCall<[number, number, number, Uint8Array, number]>('setsockopt', 'int', [
  'int',
  'int',
  'int',
  'void *',
  'uint',
]);

const SCM_RIGHTS = 1;
const MSG_CMSG_CLOEXEC = 0x40000000;
/** Of `struct msghdr`, of `struct iovec`, and of a `struct cmsghdr` with one descriptor, on 64-bit machines. */
const headerBytes = 56;
const vectorBytes = 16;
const controlBytes = 24;
const controlLength = 20;

/** Two connected sockets, which programs do not inherit unless they are given one. Both are the caller's. */
export function socketPair(): readonly [number, number] {
  const ends = new Int32Array(2);
  socketpair.call(undefined, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
  const [one = -1, other = -1] = ends;
  return [one, other];
}

/** Sends bytes and, with them, an open descriptor. The caller keeps its own. */
export function sendWithDescriptor(fd: number, bytes: Uint8Array, descriptor?: number): void {
  const data = Buffer.from(bytes);
  const control = Buffer.alloc(controlBytes);
  control.writeBigUInt64LE(BigInt(controlLength), 0);
  control.writeInt32LE(SOL_SOCKET, 8);
  control.writeInt32LE(SCM_RIGHTS, 12);
  control.writeInt32LE(descriptor ?? -1, 16);
  const { header, vector } = messageOf(data, descriptor === undefined ? undefined : control);
  sendmsg.call(undefined, fd, header, MSG_NOSIGNAL);
  void [vector.length, data.length, control.length]; // what the header points to lives until here
}

interface ReceivedMessage {
  /** Empty: the other end is closed. */
  readonly bytes: Buffer;
  /** Closed when another program is executed. The caller's. */
  readonly descriptor: number | undefined;
}

/** Waits for bytes, blocking the thread. Throws LinuxError `EAGAIN` after the deadline of `limitWait`. */
export function receiveWithDescriptor(fd: number, size = 4096): ReceivedMessage {
  const data = Buffer.alloc(size);
  const control = Buffer.alloc(controlBytes);
  const { header, vector } = messageOf(data, control);
  const count = recvmsg.call(undefined, fd, header, MSG_CMSG_CLOEXEC);
  void vector.length;
  const hasDescriptor = header.readBigUInt64LE(40) >= BigInt(controlLength) && control.readInt32LE(12) === SCM_RIGHTS;
  return { bytes: data.subarray(0, count), descriptor: hasDescriptor ? control.readInt32LE(16) : undefined };
}

/** Bounds how long `receiveWithDescriptor` may block. */
export function limitWait(fd: number, seconds: number): void {
  const time = Buffer.alloc(16);
  time.writeBigInt64LE(BigInt(seconds), 0);
  setsockopt.call(undefined, fd, SOL_SOCKET, SO_RCVTIMEO, time, time.length);
}

function messageOf(data: Buffer, control: Buffer | undefined): { readonly header: Buffer; readonly vector: Buffer } {
  const vector = Buffer.alloc(vectorBytes);
  vector.writeBigUInt64LE(BigInt(koffi().address(data)), 0);
  vector.writeBigUInt64LE(BigInt(data.length), 8);
  const header = Buffer.alloc(headerBytes);
  header.writeBigUInt64LE(BigInt(koffi().address(vector)), 16);
  header.writeBigUInt64LE(1n, 24);
  if (control !== undefined) {
    header.writeBigUInt64LE(BigInt(koffi().address(control)), 32);
    header.writeBigUInt64LE(BigInt(control.length), 40);
  }
  return { header, vector };
}
