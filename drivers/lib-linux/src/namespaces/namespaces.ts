import { servicePoint } from '@gantry/core/points';
import { kernelNamespaces } from './kernel-namespaces.js';
export type NamespaceKind = 'cgroup' | 'ipc' | 'mnt' | 'net' | 'pid' | 'user' | 'uts';

/** A namespace: the path of its file, or an open descriptor of it. */
export type NamespaceReference = string | number;

/** Namespaces of the kernel. Everything is synchronous, because a thread is in a namespace and JavaScript is not. */
export interface Namespaces {
  /**
   * Makes a network namespace and keeps it at a path, whose directory exists and whose file is made. Its loopback
   * interface is down. About 0.5 ms. Throws LinuxError `EEXIST` when the file exists; then nothing was made.
   */
  createNetwork(path: string): void;

  /** Takes the file away; the namespace ends with its last process or descriptor. Absent: returns false. */
  removeNetwork(path: string): boolean;

  /**
   * Calls a function with the thread in a network namespace: sockets it opens belong there for good. The thread is
   * back afterwards, also after a throw; if that is impossible the process aborts, since every later socket would be
   * in the wrong place. The function must not return a promise, and nothing it leaves for later runs in there. Throws
   * LinuxError when the namespace is gone. 10 µs.
   */
  runInNetwork<T>(namespace: NamespaceReference, action: () => T): T;

  /**
   * Moves the calling thread to a new network namespace for good, with its loopback interface down. Threads that exist
   * stay where they are. For tests and tools that must not touch the host's network.
   */
  leaveNetwork(): void;

  /** A descriptor of a namespace's file, the caller's to close. */
  open(path: string): number;

  /** A descriptor of a process's namespace, the caller's to close. Throws `ENOENT` when the process is gone. */
  openOfProcess(pid: number, kind: NamespaceKind): number;

  /** Whether a path holds a namespace, and not the empty file a reboot leaves. */
  isNamespace(path: string): boolean;
}

export const Namespaces = servicePoint<Namespaces>('linux.namespaces', { fallback: () => kernelNamespaces });
