import { SOL_SOCKET } from '../ffi/constants.js';
import { koffi } from '../ffi/native.js';

const SCM_RIGHTS = 1;
/** Of `struct msghdr` and of a `struct cmsghdr` with one descriptor, on 64-bit machines. */
const headerBytes = 56;
const controlBytes = 24;

/** A `struct msghdr` of no data and one descriptor, for sendmsg(2). `held` must live as long as it is used. */
export function descriptorMessage(fd: number): { readonly header: Buffer; readonly held: Buffer } {
  const control = Buffer.alloc(controlBytes);
  control.writeBigUInt64LE(20n, 0);
  control.writeInt32LE(SOL_SOCKET, 8);
  control.writeInt32LE(SCM_RIGHTS, 12);
  control.writeInt32LE(fd, 16);
  const header = Buffer.alloc(headerBytes);
  header.writeBigUInt64LE(BigInt(koffi().address(control)), 32);
  header.writeBigUInt64LE(BigInt(controlBytes), 40);
  return { header, held: control };
}
