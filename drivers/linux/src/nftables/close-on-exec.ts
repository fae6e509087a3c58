import { readdirSync } from 'node:fs';
import { SystemCall } from '../ffi/system-call.js';

const F_SETFD = 2;
const FD_CLOEXEC = 1;
const fcntl = new SystemCall<[fd: number, command: number, value: number]>('fcntl', 'int', ['int', 'int', 'int']);

/** Acts, and keeps what descriptors a library opened meanwhile from programs that are started later. */
export function closingOnExec<T>(action: () => T): T {
  const before = new Set(openDescriptors());
  const result = action();
  for (const fd of openDescriptors()) {
    // One that is gone again was that of the directory listing.
    if (!before.has(fd)) fcntl.attempt(fd, F_SETFD, FD_CLOEXEC);
  }
  return result;
}

function openDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fd').map(Number);
}
