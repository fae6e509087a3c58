import { SystemCall } from './system-call.js';

const close = new SystemCall<[fd: number]>('close', 'int', ['int']);

/**
 * Closes a descriptor that a system call opened. Those that `fs` opened are for `fs` to close: in worker threads it
 * keeps a list, warns about others and closes at the end what is left on it.
 */
export function closeDescriptor(fd: number): void {
  close.attempt(fd);
}
