import { closeSync, openSync, statfsSync, statSync } from 'node:fs';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import {
  AT_FDCWD,
  CLONE_NEWNS,
  MOVE_MOUNT_F_EMPTY_PATH,
  MOVE_MOUNT_T_EMPTY_PATH,
  O_CLOEXEC,
  OPEN_TREE_CLONE,
  SYS_MOVE_MOUNT,
  SYS_OPEN_TREE,
} from '../ffi/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { numberedCall, SystemCall } from '../system-calls/system-call.js';
import type { ProcessTmpfs } from './files.js';

const setns = new SystemCall<[fd: number, kind: number]>('setns', 'int', ['int', 'int']);
const openTree = numberedCall<[directory: number, path: string, flags: number]>('open_tree', SYS_OPEN_TREE, [
  'int',
  'const char *',
  'uint',
]);
const moveMount = numberedCall<[fromFd: number, from: string, toFd: number, to: string, flags: number]>(
  'move_mount',
  SYS_MOVE_MOUNT,
  ['int', 'const char *', 'int', 'const char *', 'uint'],
);

const TMPFS_MAGIC = 0x01021994;

/**
 * A detached copy of the mount; the caller closes it. Undefined when the process has exited or has another root, and when
 * the path is not a tmpfs: a symbolic link of the process must not lead to its other filesystems. `home` returns the
 * thread to its namespace.
 */
export function openProcessTmpfs(root: string, { pid, path }: ProcessTmpfs, home: () => void): number | undefined {
  const namespace = openNamespace(pid);
  if (namespace === undefined) return undefined;
  let tree: number;
  try {
    const { dev, ino } = statSync(root);
    setns.call(path, namespace, CLONE_NEWNS);
    try {
      const own = statSync('/');
      if (own.dev !== dev || own.ino !== ino) return undefined;
      tree = openTree.attempt(AT_FDCWD, path, OPEN_TREE_CLONE | O_CLOEXEC);
    } finally {
      home();
    }
  } finally {
    closeSync(namespace);
  }
  if (tree < 0) return undefined;
  if (isTmpfs(tree)) return tree;
  closeDescriptor(tree);
  return undefined;
}

/** A copy of the mount at a path, as the thread sees it. The caller closes it. Throws LinuxError. */
export function openTreeAt(path: string): number {
  return openTree.call(path, AT_FDCWD, path, OPEN_TREE_CLONE | O_CLOEXEC);
}

export const isTmpfs = (fd: number): boolean => statfsSync(`/proc/self/fd/${fd}`).type === TMPFS_MAGIC;

function openNamespace(pid: number): number | undefined {
  try {
    return openSync(`/proc/${pid}/ns/mnt`, O_CLOEXEC);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EINVAL')) return undefined;
    throw error;
  }
}

/** Mounts the copy over the open directory or file `target`. */
export function placeTree(tree: number, target: number): void {
  const result = moveMount.attempt(tree, '', target, '', MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
  if (result < 0) throw new LinuxError(-result, 'move_mount');
}
