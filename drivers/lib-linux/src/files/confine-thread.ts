import { closeSync, openSync, stat } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { CLONE_FS, O_CLOEXEC } from '../ffi/constants.js';
import { once } from '../ffi/native.js';
import { SystemCall } from '../system-calls/system-call.js';
import type { Confinement } from './files.js';

const unshare = new SystemCall<[flags: number]>('unshare', 'int', ['int']);
const chroot = new SystemCall<[path: string]>('chroot', 'int', ['const char *']);
const chdir = new SystemCall<[path: string]>('chdir', 'int', ['const char *']);
const fchdir = new SystemCall<[fd: number]>('fchdir', 'int', ['int']);

const O_DIRECTORY = 0o200000;

/**
 * Root and working directory become the thread's own; before, all threads share one pair. Threads are born with those of
 * the thread that starts them, and Node starts those of its pool at the first job: that job must not come from here.
 */
export const separateThread = once(() => {
  stat('/', () => undefined);
  unshare.call(undefined, CLONE_FS);
});

/**
 * Makes a directory the root of the calling worker thread, so that no link in it leads out. 15 µs. One at a time: what
 * is confined must be released before it is confined again. Only synchronous calls of the thread itself are confined,
 * and what it imports later is looked for in there. Throws LinuxError `ENOENT`, `ENOTDIR`, `EPERM`; then nothing has
 * changed. Throws on the main thread, whose other work would be confined with it.
 */
export function confineThread(root: string): Confinement {
  if (isMainThread) throw new Error('only a worker thread can be confined to a directory');
  separateThread();
  const home = openSync('/', O_DIRECTORY | O_CLOEXEC);
  const workingDirectory = openSync('.', O_DIRECTORY | O_CLOEXEC);
  const goHome = (): void => {
    fchdir.call('/', home);
    chroot.call('/', '.');
    fchdir.call('.', workingDirectory);
    closeSync(home);
    closeSync(workingDirectory);
  };
  try {
    chdir.call(root, root);
    chroot.call(root, '.');
    chdir.call(root, '/');
  } catch (error) {
    goHome();
    throw error;
  }
  let isConfined = true;
  return {
    release: () => {
      if (!isConfined) return;
      isConfined = false;
      goHome();
    },
  };
}
