import { SYS_PIDFD_OPEN, WNOHANG } from '../ffi/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { numberedCall, SystemCall } from '../system-calls/system-call.js';
import { eventLoopWatcher } from '../watch/event-loop-watcher.js';
import type { LaunchedProcess, ProcessExit } from './launcher.js';

const pidfdOpen = numberedCall<[pid: number, flags: number]>('pidfd_open', SYS_PIDFD_OPEN, ['int', 'uint']);
const waitpid = new SystemCall<[pid: number, status: Int32Array, flags: number]>('waitpid', 'int', [
  'int',
  'void *',
  'int',
]);

/**
 * Waits for one child by its pid, never for any child: the others belong to Node. A pidfd reports the exit, so no SIGCHLD
 * handler is shared. Until the child has been waited for, its pid is not reused.
 */
export function superviseChild(pid: number): LaunchedProcess {
  const fd = pidfdOpen.call(`process ${pid}`, pid, 0);
  let hasExited = false;
  const { promise: exited, resolve } = deferred<ProcessExit>();
  const watch = eventLoopWatcher.fd(
    fd,
    { readable: true },
    () => {
      const status = new Int32Array(1);
      const result = waitpid.attempt(pid, status, WNOHANG);
      if (result === 0) return;
      hasExited = true;
      watch.close();
      closeDescriptor(fd);
      resolve(result > 0 ? decodeStatus(status[0] ?? 0) : { code: undefined, signal: undefined });
    },
    { keepAlive: true },
  );
  return {
    pid,
    exited,
    kill: (signal) => {
      if (!hasExited) process.kill(pid, signal);
    },
    unref: () => watch.unref(),
  };
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function decodeStatus(status: number): ProcessExit {
  const signal = status & 0x7f;
  return signal === 0 ? { code: (status >> 8) & 0xff, signal: undefined } : { code: undefined, signal };
}
