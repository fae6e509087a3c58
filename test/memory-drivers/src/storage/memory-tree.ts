import { invalidArgument } from '@gantry/core/errors';
import {
  type ByteString,
  joined,
  lastOf,
  normalise,
  parentOf,
  type TarEntry,
  whiteoutOf,
} from '@gantry/lib-archive/tar';

/** A file of any type. Hard links are one node at several paths. */
export interface Node extends Omit<TarEntry, 'name' | 'linkName' | 'size' | 'sparse'> {
  readonly content: Buffer;
  /** Of a symbolic link. */
  readonly target: ByteString;
}

const newDirectory: Node = {
  type: 'directory',
  mode: 0o755,
  uid: 0,
  gid: 0,
  modified: { seconds: 0, nanoseconds: 0 },
  accessed: undefined,
  major: 0,
  minor: 0,
  attributes: new Map(),
  content: Buffer.alloc(0),
  target: '',
};

/** A file system in memory: nodes by path, the root being the empty one. */
export class MemoryTree {
  readonly nodes: Map<ByteString, Node>;

  constructor(parent?: MemoryTree) {
    this.nodes = new Map(parent?.nodes ?? [['', newDirectory]]);
  }

  /** Adds a layer, whose whiteouts are about what is there now. @throws EngineError `invalid-argument`. */
  apply(entries: readonly { readonly entry: TarEntry; readonly content: Buffer }[]): void {
    const own = new Set<ByteString>();
    for (const { entry, content } of entries) {
      try {
        this.#applyEntry(entry, content, own);
      } catch (error) {
        throw invalidArgument(`${entry.name}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  #applyEntry(entry: TarEntry, content: Buffer, own: Set<ByteString>): void {
    const name = normalise(entry.name);
    const whiteout = whiteoutOf(name);
    if (whiteout.type === 'ignored') return;
    const parent = this.#directory(parentOf(name));
    if (whiteout.type !== 'none') {
      this.#delete(
        whiteout.type === 'deletes' ? joined(parent, whiteout.name) : parent,
        own,
        whiteout.type === 'opaque',
      );
      return;
    }
    const path = name === '' ? '' : joined(parent, lastOf(name));
    const node = entry.type === 'link' ? this.#linked(entry) : { ...entry, target: entry.linkName, content };
    const old = this.nodes.get(path);
    if (path === '' && node.type !== 'directory') throw new Error('the root can only be a directory');
    if (old === node) return;
    if (old !== undefined && (old.type !== 'directory' || node.type !== 'directory')) this.#remove(path);
    this.nodes.set(path, node);
    for (let at = path; at !== ''; at = parentOf(at)) own.add(at);
  }

  #linked(entry: TarEntry): Node {
    const target = normalise(entry.linkName);
    const parent = this.#lookUp(parentOf(target), false);
    const node = parent === undefined ? undefined : this.nodes.get(joined(parent, lastOf(target)));
    if (node === undefined || node.type === 'directory') throw new Error('the target of the hard link is no file');
    return node;
  }

  #directory(name: ByteString): ByteString {
    return this.#lookUp(name, true) ?? '';
  }

  /** A directory by a name that may lead through links. */
  #lookUp(name: ByteString, make: boolean): ByteString | undefined {
    const waiting = name.split('/').reverse();
    let at = '';
    let links = 0;
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (part === '' || part === '.') continue;
      if (part === '..') {
        at = parentOf(at);
        continue;
      }
      const path = joined(at, part);
      const node = this.nodes.get(path);
      if (node?.type === 'symlink') {
        if (++links > 40) throw new Error('too many levels of symbolic links');
        if (node.target.startsWith('/')) at = '';
        waiting.push(...node.target.split('/').reverse());
        continue;
      }
      if (node !== undefined && node.type !== 'directory') throw new Error(`${part} is not a directory`);
      if (node === undefined && !make) return undefined;
      if (node === undefined) this.nodes.set(path, newDirectory);
      at = path;
    }
    return at;
  }

  #delete(path: ByteString, own: ReadonlySet<ByteString>, contentOnly: boolean): void {
    for (const other of this.nodes.keys()) {
      const concerned = other.startsWith(`${path}/`) || (!contentOnly && other === path);
      if (concerned && !own.has(other)) this.nodes.delete(other);
    }
  }

  #remove(path: ByteString): void {
    this.#delete(path, new Set(), false);
  }
}
