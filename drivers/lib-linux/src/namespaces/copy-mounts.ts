import { closeSync, openSync } from 'node:fs';
import { CLONE_NEWNS, MNT_DETACH, MS_REC, MS_SLAVE, O_CLOEXEC, O_PATH } from '../ffi/constants.js';
import { SystemCall } from '../system-calls/system-call.js';

const unshare = new SystemCall<[flags: number]>('unshare', 'int', ['int']);
const setns = new SystemCall<[fd: number, kind: number]>('setns', 'int', ['int', 'int']);
const fchdir = new SystemCall<[fd: number]>('fchdir', 'int', ['int']);
const chroot = new SystemCall<[path: string]>('chroot', 'int', ['const char *']);
const umount2 = new SystemCall<[string, number]>('umount2', 'int', ['const char *', 'int']);
const mount = new SystemCall<[null, string, null, number, null]>('mount', 'int', [
  'const char *',
  'const char *',
  'const char *',
  'unsigned long',
  'const void *',
]);

const own = '/proc/thread-self/ns/mnt';

/** The thread's mount namespace, and its place in it, which entering another one changes. */
class Home {
  readonly #namespace = openSync(own, O_CLOEXEC);
  readonly #root = openSync('/', O_PATH | O_CLOEXEC);
  readonly #workingDirectory = openSync('.', O_PATH | O_CLOEXEC);

  /** What fails after a part of it would leave all later work of the thread in the wrong place. */
  enter(): void {
    const isBack =
      setns.attempt(this.#namespace, CLONE_NEWNS) === 0 &&
      fchdir.attempt(this.#root) === 0 &&
      chroot.attempt('.') === 0 &&
      fchdir.attempt(this.#workingDirectory) === 0;
    if (!isBack) process.abort();
  }

  close(): void {
    for (const each of [this.#namespace, this.#root, this.#workingDirectory]) closeSync(each);
  }
}

/** See `Namespaces`. */
export function copyMounts(hidden: string): number {
  const home = new Home();
  try {
    unshare.call(undefined, CLONE_NEWNS);
    try {
      // What is unmounted here stays mounted there.
      mount.call('/', null, '/', null, MS_REC | MS_SLAVE, null);
      umount2.call(hidden, hidden, MNT_DETACH);
      return openSync(own, O_CLOEXEC);
    } finally {
      home.enter();
    }
  } finally {
    home.close();
  }
}
