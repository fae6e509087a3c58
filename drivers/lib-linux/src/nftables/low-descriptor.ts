import { LinuxError } from '../errors/linux-error.js';
import { EFD_CLOEXEC, SOL_SOCKET } from '../ffi/constants.js';
import { NETLINK_NETFILTER } from '../netlink/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';

const F_SETFD = 2;
const FD_CLOEXEC = 1;
const SO_PROTOCOL = 38;
const fcntl = new SystemCall<[fd: number, command: number, value: number]>('fcntl', 'int', ['int', 'int', 'int']);
const eventfd = new SystemCall<[count: number, flags: number]>('eventfd', 'int', ['uint', 'int']);
const optionTypes = ['int', 'int', 'int', 'void *', 'void *'];
const getsockopt = new SystemCall<[number, number, number, Int32Array, Int32Array]>('getsockopt', 'int', optionTypes);

/** The limit of select(2): with a larger descriptor the C library aborts the process. */
const limit = 1024;
/** As many sessions can be open in a process with a thousand other open files. */
const wanted = 16;
/** Another thread may take a descriptor in the moment it is free. */
const maxAttempts = 32;

const reserved: number[] = [];

/** Reserves low descriptors for later, as many as are available: the first call should come early. */
export function reserveLowDescriptors(): void {
  while (reserved.length < wanted) {
    const fd = eventfd.call('nftables', 0, EFD_CLOEXEC);
    if (fd >= limit) {
      closeDescriptor(fd);
      break;
    }
    reserved.push(fd);
  }
  reserved.sort((one, other) => other - one);
}

/**
 * Creates an object that opens one netfilter socket, with a low descriptor that programs started later do not inherit.
 * Throws LinuxError `EMFILE` when there is none.
 */
export function onLowDescriptor<T>(make: () => T, discard: (made: T) => void): T {
  reserveLowDescriptors();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const room = reserved.pop();
    if (room === undefined) break;
    closeDescriptor(room);
    const fd = lowestFree();
    const made = make();
    if (isNetfilterSocket(fd)) {
      fcntl.attempt(fd, F_SETFD, FD_CLOEXEC);
      return made;
    }
    discard(made);
    reserveLowDescriptors();
  }
  throw new LinuxError('EMFILE', 'nftables', { detail: `no descriptor below ${limit} is free` });
}

/** The descriptor that the next open will get. */
function lowestFree(): number {
  const fd = eventfd.call('nftables', 0, EFD_CLOEXEC);
  closeDescriptor(fd);
  return fd;
}

function isNetfilterSocket(fd: number): boolean {
  const protocol = Int32Array.of(-1);
  return (
    getsockopt.attempt(fd, SOL_SOCKET, SO_PROTOCOL, protocol, Int32Array.of(4)) === 0 &&
    protocol[0] === NETLINK_NETFILTER
  );
}
