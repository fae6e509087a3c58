import { SystemCall } from '../system-calls/system-call.js';

const fcntl = new SystemCall<[fd: number, command: number, value: number]>('fcntl', 'int', ['int', 'int', 'int']);
const poll = new SystemCall<[Int32Array, number, number]>('poll', 'int', ['void *', 'ulong', 'int']);

const F_DUPFD_CLOEXEC = 1030;
const POLLIN = 1;
const EINTR = 4;

/** Another descriptor of the same open file or socket, for `closeDescriptor` to close. Throws LinuxError. */
export function duplicateDescriptor(fd: number): number {
  return fcntl.call(undefined, fd, F_DUPFD_CLOEXEC, 0);
}

/**
 * Blocks the thread until a descriptor is readable, at its end or in error, with a timeout in milliseconds.
 * @returns whether it is. Throws LinuxError.
 */
export function awaitReadable(fd: number, milliseconds: number): boolean {
  const ready = poll.attempt(Int32Array.of(fd, POLLIN), 1, milliseconds);
  if (ready < 0 && ready !== -EINTR) return poll.call(undefined, Int32Array.of(fd, POLLIN), 1, 0) > 0;
  return ready > 0;
}
