import { closeSync, openSync, stat, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import { CLONE_NEWNET, MNT_DETACH, MS_BIND, UMOUNT_NOFOLLOW } from '../ffi/constants.js';
import { once } from '../ffi/native.js';
import { SystemCall } from '../system-calls/system-call.js';
import { copyMounts } from './copy-mounts.js';
import type { NamespaceKind, NamespaceReference, Namespaces } from './namespaces.js';

const unshare = new SystemCall<[flags: number]>('unshare', 'int', ['int']);
const setns = new SystemCall<[fd: number, kind: number]>('setns', 'int', ['int', 'int']);
const mount = new SystemCall<[string, string, null, number, null]>('mount', 'int', [
  'const char *',
  'const char *',
  'const char *',
  'unsigned long',
  'const void *',
]);
const umount2 = new SystemCall<[string, number]>('umount2', 'int', ['const char *', 'int']);

const NSFS_MAGIC = 0x6e736673;
const ownNetwork = '/proc/thread-self/ns/net';

/**
 * A thread starts in the namespace of its creator, and Node creates the threads of its pool at the first job: that must
 * not happen while this thread is in another namespace.
 */
const startThreadPool = once(() => stat('/', () => undefined));

/** Runs an action that may change the thread's namespace, and returns the thread to its own. */
function andComeBack<T>(action: () => T): T {
  startThreadPool();
  const home = openSync(ownNetwork, 'r');
  try {
    return action();
  } finally {
    if (setns.attempt(home, CLONE_NEWNET) < 0) process.abort();
    closeSync(home);
  }
}

function createNetwork(path: string): void {
  writeFileSync(path, '', { flag: 'wx', mode: 0o444 });
  try {
    andComeBack(() => {
      unshare.call(path, CLONE_NEWNET);
      mount.call(path, ownNetwork, path, null, MS_BIND, null);
    });
  } catch (error) {
    unlinkSync(path);
    throw error;
  }
}

function removeNetwork(path: string): boolean {
  const result = umount2.attempt(path, MNT_DETACH | UMOUNT_NOFOLLOW);
  // Not mounted, as after a reboot, or absent: only the file remains to be removed.
  if (result < 0) {
    const error = new LinuxError(-result, 'umount2', { path });
    if (!isErrno(error, 'EINVAL', 'ENOENT')) throw error;
  }
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

function runInNetwork<T>(namespace: NamespaceReference, action: () => T): T {
  const fd = typeof namespace === 'number' ? namespace : open(namespace);
  try {
    return andComeBack(() => {
      setns.call(typeof namespace === 'string' ? namespace : undefined, fd, CLONE_NEWNET);
      const result = action();
      if (result instanceof Promise) {
        throw new TypeError('what runs in a network namespace must finish there: it cannot be asynchronous');
      }
      return result;
    });
  } finally {
    if (typeof namespace === 'string') closeSync(fd);
  }
}

function leaveNetwork(): void {
  startThreadPool();
  unshare.call(ownNetwork, CLONE_NEWNET);
}

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw toLinuxError(cause, path);
  }
}

function openOfProcess(pid: number, kind: NamespaceKind): number {
  return open(`/proc/${pid}/ns/${kind}`);
}

function isNamespace(path: string): boolean {
  try {
    return statfsSync(path).type === NSFS_MAGIC;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return false;
    throw toLinuxError(error, path);
  }
}

function toLinuxError(cause: unknown, path: string): unknown {
  const errno = cause instanceof Error ? (cause as NodeJS.ErrnoException).errno : undefined;
  return errno === undefined ? cause : new LinuxError(-errno, 'open', { path, cause });
}

function mountsWithout(hidden: string): number {
  startThreadPool();
  return copyMounts(hidden);
}

export const kernelNamespaces: Namespaces = {
  createNetwork,
  removeNetwork,
  runInNetwork,
  mountsWithout,
  leaveNetwork,
  open,
  openOfProcess,
  isNamespace,
};
