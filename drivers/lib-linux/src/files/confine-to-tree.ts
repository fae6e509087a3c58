import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import {
  CLONE_NEWNS,
  MNT_DETACH,
  MS_BIND,
  MS_PRIVATE,
  MS_RDONLY,
  MS_REC,
  MS_REMOUNT,
  O_CLOEXEC,
  O_PATH,
} from '../ffi/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';
import { separateThread } from './confine-thread.js';
import type { Confinement, PlacedMount, TreeOptions } from './files.js';
import { kernelFiles } from './kernel-files.js';
import { openProcessTmpfs, placeTree } from './process-tmpfs.js';

const text = 'const char *';
const unshare = new SystemCall<[flags: number]>('unshare', 'int', ['int']);
const setns = new SystemCall<[fd: number, kind: number]>('setns', 'int', ['int', 'int']);
const mount = new SystemCall<[string | null, string, null, number, null]>('mount', 'int', [
  text,
  text,
  text,
  'unsigned long',
  'const void *',
]);
const umount2 = new SystemCall<[string, number]>('umount2', 'int', [text, 'int']);
const pivotRoot = new SystemCall<[next: string, old: string]>('pivot_root', 'int', [text, text]);
const chroot = new SystemCall<[path: string]>('chroot', 'int', [text]);
const chdir = new SystemCall<[path: string]>('chdir', 'int', [text]);
const fchdir = new SystemCall<[fd: number]>('fchdir', 'int', ['int']);

const O_DIRECTORY = 0o200000;
const directoryFlags = O_DIRECTORY | O_CLOEXEC;

/**
 * Like `confineThread`, with other directories and files mounted inside the root, as the processes of a container see
 * them. The mounts are in a mount namespace of the thread and disappear with `release`; no other process sees them, no
 * mount of the host stays busy, and concurrent changes inside the root cannot move a mount outside of it. 0.2 ms, growing
 * with the number of mounts of the host. One at a time, on worker threads only. Throws LinuxError, also `ENOTDIR` for a
 * directory whose mount point is a file; then nothing has changed.
 */
export function confineToTree(root: string, { mounts, readOnly = false }: TreeOptions): Confinement {
  if (isMainThread) throw new Error('only a worker thread can be confined to a directory');
  separateThread();
  const fds: number[] = [];
  const open = (path: string, flags: number): number => {
    const fd = openSync(path, flags);
    fds.push(fd);
    return fd;
  };
  const closeAll = (): void => {
    for (const fd of fds.splice(0)) closeSync(fd);
  };
  try {
    const home = open('/', directoryFlags);
    const workingDirectory = open('.', directoryFlags);
    const namespace = open('/proc/thread-self/ns/mnt', O_CLOEXEC);
    const goHome = (): void => {
      // Every later job would work in the wrong place. It has worked once before: see below.
      if (setns.attempt(namespace, CLONE_NEWNS) < 0) process.abort();
      fchdir.call('/', home);
      chroot.call('/', '.');
      fchdir.call('.', workingDirectory);
    };
    // Says whether there is a way back before the thread goes.
    setns.call(undefined, namespace, CLONE_NEWNS);
    goHome();
    const trees = openTrees(root, mounts, goHome);
    try {
      unshare.call(undefined, CLONE_NEWNS);
      enter(root, trees, readOnly);
    } catch (error) {
      goHome();
      throw error;
    } finally {
      for (const { source } of trees) if (typeof source === 'number') closeDescriptor(source);
    }
    let isConfined = true;
    return {
      release: () => {
        if (!isConfined) return;
        isConfined = false;
        goHome();
        closeAll();
      },
    };
  } catch (error) {
    closeAll();
    throw error;
  }
}

/** What is to be placed, with mounts of other processes as open copies. */
interface OpenMount extends Pick<PlacedMount, 'target' | 'readOnly'> {
  readonly source: string | number;
}

function openTrees(root: string, mounts: readonly PlacedMount[], home: () => void): readonly OpenMount[] {
  const opened: OpenMount[] = [];
  try {
    for (const { source, target, readOnly } of mounts) {
      const from = typeof source === 'string' ? source : openProcessTmpfs(root, source, home);
      if (from !== undefined) opened.push({ source: from, target, readOnly });
    }
  } catch (error) {
    for (const { source } of opened) if (typeof source === 'number') closeDescriptor(source);
    throw error;
  }
  return opened;
}

/** In the thread's own mount namespace: assembles the tree, makes it the root and detaches everything else. */
function enter(root: string, mounts: readonly OpenMount[], readOnly: boolean): void {
  mount.call('/', null, '/', null, MS_REC | MS_PRIVATE, null);
  mount.call(root, root, root, null, MS_BIND, null);
  const host = openSync('/', directoryFlags);
  const tree = openSync(root, directoryFlags);
  try {
    const inOrder = [...mounts].sort((a, b) => depth(a.target) - depth(b.target));
    for (const placed of inOrder) place(tree, placed);
    fchdir.call(root, tree);
    if (readOnly) mount.call(root, null, '.', null, MS_REMOUNT | MS_BIND | MS_RDONLY, null);
    if (pivotRoot.attempt('.', '.') < 0) {
      // On an initial RAM disk there is no turning. The rest of the host then stays held until the release.
      chroot.call(root, '.');
    } else {
      fchdir.call('/', host);
      umount2.call('/', '.', MNT_DETACH);
    }
    chdir.call('/', '/');
  } finally {
    closeSync(host);
    closeSync(tree);
  }
}

const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;

/** By descriptors of what was found inside, so that a link put there meanwhile changes nothing. */
function place(tree: number, { source, target, readOnly }: OpenMount): void {
  const isDirectory = typeof source === 'number' || statSync(source).isDirectory();
  const found = openOrMake(tree, posix.join('/', target), isDirectory);
  try {
    if (typeof source === 'number') placeTree(source, found);
    else mount.call(target, source, pathOf(found), null, MS_BIND | MS_REC, null);
  } finally {
    closeDescriptor(found);
  }
  if (!readOnly) return;
  const mounted = kernelFiles.openIn(tree, target, { flags: O_PATH });
  try {
    mount.call(target, null, pathOf(mounted), null, MS_REMOUNT | MS_BIND | MS_RDONLY, null);
  } finally {
    closeDescriptor(mounted);
  }
}

const pathOf = (fd: number): string => `/proc/self/fd/${fd}`;

function openOrMake(tree: number, path: string, isDirectory: boolean): number {
  try {
    return kernelFiles.openIn(tree, path, { flags: O_PATH });
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || path === '/') throw error;
  }
  const parent = openOrMake(tree, posix.dirname(path), true);
  try {
    make(`${pathOf(parent)}/${posix.basename(path)}`, isDirectory);
  } finally {
    closeDescriptor(parent);
  }
  return kernelFiles.openIn(tree, path, { flags: O_PATH });
}

function make(path: string, isDirectory: boolean): void {
  try {
    if (isDirectory) mkdirSync(path, 0o755);
    else writeFileSync(path, '', { flag: 'wx', mode: 0o644 });
  } catch (error) {
    // Created concurrently; opening it shows whether it has the right type.
    if (!isErrno(error, 'EEXIST')) throw asLinuxError(error, path);
  }
}

function asLinuxError(cause: unknown, path: string): unknown {
  const errno = cause instanceof Error ? (cause as NodeJS.ErrnoException).errno : undefined;
  return errno === undefined ? cause : new LinuxError(-errno, 'open', { path, cause });
}
