import { servicePoint } from '@gantry/core/points';
import { kernelNamespaces } from './kernel-namespaces.js';
export type NamespaceKind = 'cgroup' | 'ipc' | 'mnt' | 'net' | 'pid' | 'user' | 'uts';

/** A namespace: the path of its file, or an open descriptor of it. */
export type NamespaceReference = string | number;

/** Namespaces of the kernel. Every call is synchronous: a namespace is a property of the thread. */
export interface Namespaces {
  /**
   * Creates a network namespace and binds it to a new file in an existing directory. Its loopback interface is down.
   * About 0.5 ms. Throws LinuxError `EEXIST` when the file exists; then nothing was created.
   */
  createNetwork(path: string): void;

  /** Removes the file; the namespace ends with its last process or descriptor. Absent: returns false. */
  removeNetwork(path: string): boolean;

  /**
   * Calls a function with the thread in a network namespace: sockets it opens stay in that namespace. The thread returns
   * afterwards, also after a throw; if that fails the process aborts, because every later socket would be in the wrong
   * namespace. The function must not return a promise: callbacks run outside. Throws LinuxError when the namespace is
   * gone. 10 µs.
   */
  runInNetwork<T>(namespace: NamespaceReference, action: () => T): T;

  /**
   * Moves the calling thread permanently to a new network namespace with its loopback interface down. Existing threads
   * stay in theirs. For tests and tools that must not touch the host's network.
   */
  leaveNetwork(): void;

  /**
   * A descriptor of a new copy of the thread's mount namespace, in which one mount is missing. The caller closes it; the
   * path for `nsenter --mount` is `/proc/PID/fd/FD`. Later mounts and unmounts propagate to the copy where they are shared, and
   * never back. The thread is in the copy for a moment, and aborts the process when it cannot return. From then on its working
   * directory and umask are its own: those of the pool's threads stay as they are when it changes them. 0.2 ms. Throws LinuxError
   * `EINVAL` for what is no mount point.
   */
  mountsWithout(hidden: string): number;

  /** A descriptor of a namespace's file. The caller closes it. */
  open(path: string): number;

  /** A descriptor of a process's namespace. The caller closes it. Throws `ENOENT` when the process is gone. */
  openOfProcess(pid: number, kind: NamespaceKind): number;

  /** Whether a file is bound to a namespace; after a reboot it is an empty file. */
  isNamespace(path: string): boolean;
}

export const Namespaces = servicePoint<Namespaces>('linux.namespaces', { fallback: () => kernelNamespaces });
