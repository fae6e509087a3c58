import { LinuxError } from '../errors/linux-error.js';
import type { NamespaceReference, Namespaces } from '../namespaces/namespaces.js';

/** Network namespaces as names in memory. */
export class FakeNamespaces implements Namespaces {
  readonly paths = new Set<string>();
  readonly #open = new Map<number, string>();
  #nextFd = 10_000;
  #current: NamespaceReference | undefined;

  /** The namespace `runInNetwork` is in; undefined outside of it. */
  get current(): NamespaceReference | undefined {
    return this.#current;
  }

  createNetwork(path: string): void {
    if (this.paths.has(path)) throw new LinuxError('EEXIST', 'open', { path });
    this.paths.add(path);
  }

  removeNetwork(path: string): boolean {
    return this.paths.delete(path);
  }

  runInNetwork<T>(namespace: NamespaceReference, action: () => T): T {
    const path = typeof namespace === 'number' ? this.#open.get(namespace) : namespace;
    if (path === undefined || (!this.paths.has(path) && !path.startsWith('/proc/'))) {
      throw new LinuxError('ENOENT', 'open', { path: `${namespace}` });
    }
    const before = this.#current;
    this.#current = namespace;
    try {
      return action();
    } finally {
      this.#current = before;
    }
  }

  leaveNetwork(): void {
    this.#current = 'a new one';
  }

  open(path: string): number {
    if (!this.paths.has(path)) throw new LinuxError('ENOENT', 'open', { path });
    return this.#number(path);
  }

  openOfProcess(pid: number, kind: string): number {
    return this.#number(`/proc/${pid}/ns/${kind}`);
  }

  isNamespace(path: string): boolean {
    return this.paths.has(path);
  }

  #number(path: string): number {
    this.#nextFd += 1;
    this.#open.set(this.#nextFd, path);
    return this.#nextFd;
  }
}
