import { linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import type { ExtractedArchive, FileOwner } from '@gantry/core/contracts';
import { EngineError, invalidArgument, messageOf } from '@gantry/core/errors';
import { type ByteString, joined, lastOf, normalise, parentOf, printable, whiteoutOf } from '@gantry/lib-archive/tar';
import { describe, makeNode } from '../storage/host-directory.js';
import type { Member } from '../storage/layer-archive.js';
import type { Node } from '../storage/memory-tree.js';
import type { HostTree } from './host-tree.js';

interface ExtractionOptions {
  /** `.wh.` names delete what was there before. */
  readonly whiteouts: boolean;
  readonly owner?: FileOwner | undefined;
  readonly keepDirectories?: boolean | undefined;
}

/** Extracts members of an archive into a directory of a tree. */
export class Extraction {
  readonly #tree: HostTree;
  readonly #base: ByteString;
  readonly #options: ExtractionOptions;
  /** What was extracted, by its path inside the tree. */
  readonly #made = new Map<ByteString, Node>();
  readonly #sizes = new Map<ByteString, number>();

  constructor(tree: HostTree, base: ByteString, options: ExtractionOptions) {
    this.#tree = tree;
    this.#base = base;
    this.#options = options;
  }

  /** @throws EngineError `invalid-argument` naming the entry, `forbidden` on a read-only file system. */
  extract(members: readonly Member[]): Omit<ExtractedArchive, 'tarSize'> {
    for (const member of members) this.#named(member.entry.name, () => this.#extract(member));
    // From the inside out, since what is made in a directory changes its times.
    for (const [path, node] of [...this.#made].sort(([one], [other]) => (one < other ? 1 : -1))) {
      if (this.#tree.status(path) !== undefined) describe(node, this.#tree.hostPath(path));
    }
    const size = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    return { size, entries: members.length };
  }

  #extract({ entry, content }: Member): void {
    const { owner, whiteouts } = this.#options;
    const name = normalise(entry.name);
    const whiteout = whiteouts ? whiteoutOf(name) : ({ type: 'none' } as const);
    if (whiteout.type === 'ignored') return;
    if (name === '' && entry.type !== 'directory') throw invalidArgument('the root can only be a directory');
    const parent = this.#directory(parentOf(name));
    const path = name === '' ? this.#base : joined(parent, lastOf(name));
    if (whiteout.type === 'deletes') this.#delete(joined(parent, whiteout.name));
    else if (whiteout.type === 'opaque') this.#empty(parent);
    else if (entry.type === 'link') this.#link(normalise(entry.linkName), path);
    // An entry for the directory that is extracted to changes it only as a part of a layer.
    else if (name !== '' || whiteouts) this.#make({ ...entry, ...owner, target: entry.linkName, content }, path);
  }

  #make(node: Node, path: ByteString): void {
    this.#replace(path, node.type === 'directory');
    if (node.type !== 'directory' || this.#tree.status(path) === undefined) makeNode(node, this.#tree.hostPath(path));
    this.#made.set(path, node);
    if (node.type !== 'directory') {
      this.#sizes.set(path, node.type === 'symlink' ? node.target.length : node.content.length);
    }
  }

  #link(linkName: ByteString, path: ByteString): void {
    const { path: target, status } = this.#tree.follow(joined(this.#base, linkName), { last: false });
    if (status === undefined || status.isDirectory()) {
      throw invalidArgument('the target of the hard link is no file');
    }
    if (target === path) return;
    this.#replace(path, false);
    linkSync(this.#tree.hostPath(target), this.#tree.hostPath(path));
  }

  /** Makes a directory with its parents, where they are absent. @returns its path without links. */
  #directory(name: ByteString): ByteString {
    const { path, status } = this.#tree.follow(joined(this.#base, name));
    this.#tree.requireWritable(path);
    if (status === undefined) mkdirSync(this.#tree.hostPath(path), { recursive: true, mode: 0o755 });
    else if (!status.isDirectory()) throw invalidArgument('its directory is a file');
    return path;
  }

  /** Removes what is at a path, unless that and what comes are directories. */
  #replace(path: ByteString, byDirectory: boolean): void {
    this.#tree.requireWritable(path);
    const status = this.#tree.status(path);
    if (status === undefined || (status.isDirectory() && byDirectory)) return;
    if (this.#options.keepDirectories === true && (status.isDirectory() || byDirectory)) {
      throw invalidArgument(
        byDirectory ? 'cannot overwrite a non-directory with a directory' : 'cannot overwrite a directory',
      );
    }
    this.#remove(path);
  }

  /** Deletes what the layers below have; what this archive has stays. */
  #delete(path: ByteString): void {
    if (this.#isOwn(path)) this.#empty(path);
    else this.#remove(path);
  }

  #empty(directory: ByteString): void {
    if (this.#tree.status(directory)?.isDirectory() !== true) return;
    for (const name of readdirSync(this.#tree.hostPath(directory), 'latin1')) this.#delete(joined(directory, name));
  }

  #isOwn(path: ByteString): boolean {
    return [...this.#made.keys()].some((made) => made === path || made.startsWith(`${path}/`));
  }

  #remove(path: ByteString): void {
    rmSync(this.#tree.hostPath(path) as unknown as string, { recursive: true, force: true });
    for (const made of [...this.#made.keys()]) {
      if (made !== path && !made.startsWith(`${path}/`)) continue;
      this.#made.delete(made);
      this.#sizes.delete(made);
    }
  }

  #named(name: ByteString, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (EngineError.is(error) && error.kind !== 'invalid-argument') throw error;
      throw invalidArgument(`${printable(name)}: ${messageOf(error)}`, { cause: error });
    }
  }
}
