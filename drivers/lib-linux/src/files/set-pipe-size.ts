import { SystemCall } from '../system-calls/system-call.js';

const F_SETPIPE_SZ = 1031;
const fcntl = new SystemCall<[fd: number, command: number, value: number]>('fcntl', 'int', ['int', 'int', 'int']);

/**
 * Lets an open pipe hold more, or less, before its writer has to wait. False: it is no pipe, holds more than that
 * already, or the host allows no such size.
 */
export const setPipeSize = (fd: number, bytes: number): boolean => fcntl.attempt(fd, F_SETPIPE_SZ, bytes) >= 0;
