import { chmodSync, lchownSync, mkdirSync, readlinkSync, unlinkSync } from 'node:fs';
import type { FileOwner } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { type ByteString, joined, lastOf, parentOf } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import type { Files } from '@gantry/lib-linux/files';
import type { Chroot } from './chroot.js';
import type { KernelCalls } from './kernel-calls.js';
import { type LowerView, linkTextAt } from './lower-view.js';
import { nativePath } from './native-path.js';
import { isWhiteout, statusOf } from './status.js';

const maxLinks = 40;

/** The access list that new files in a directory get. */
export const defaultAccess = 'system.posix_acl_default';

/**
 * Finds the directories entries are put into. The path of one has no links in it, so that what was put there is found
 * again whatever the archive does to the links later. Where a directory is missing but the layers below have it, it is
 * made like theirs, and a link of theirs is followed.
 */
export class ParentDirectories {
  readonly #known = new Map<ByteString, ByteString>();
  readonly #views = new Map<ByteString, LowerView>();

  /** A directory was made like one of a layer below that gives its group or its access list to what is new in it. */
  inheritsFromBelow = false;

  constructor(
    private readonly root: Chroot,
    /** Directory that names of the archive are relative to; it exists and has no links in it. */
    private readonly base: ByteString,
    lower: LowerView,
    /** Deleted names are marked as overlayfs does it. */
    private readonly hasMarks: boolean,
    /** Owner of directories that neither the archive nor the layers below describe. */
    private readonly owner: FileOwner,
  ) {
    this.#views.set('', lower);
  }

  /** Of a name of the archive; undefined when it is not there and is not to be made. */
  resolve(name: ByteString, make: boolean): ByteString | undefined {
    if (name === '') return this.base;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const parent = this.resolve(parentOf(name), make);
    const found = parent === undefined ? undefined : this.#step(parent, lastOf(name), make, 0);
    if (found !== undefined) this.#known.set(name, found);
    return found;
  }

  /** To be called when a link or a directory has been removed. */
  forget(): void {
    this.#known.clear();
  }

  #step(directory: ByteString, name: ByteString, make: boolean, links: number): ByteString | undefined {
    const path = joined(directory, name);
    const status = statusOf(path);
    if (status?.isDirectory() === true) return path;
    if (status?.isSymbolicLink() === true) {
      return this.#follow(directory, readlinkSync(nativePath(path), 'latin1'), make, links);
    }
    if (status !== undefined && this.hasMarks && isWhiteout(status))
      return make ? makeInPlaceOfMark(path, this.owner, this.root.calls) : undefined;
    if (status !== undefined) throw invalidArgument(`${name} is not a directory`);
    const lower = this.#lowerView(directory);
    if (!lower.isEmpty) {
      const below = this.root.outside(() => {
        const entry = lower.entry(name);
        if (entry === undefined) return undefined;
        if (entry.status.isSymbolicLink()) return { link: linkTextAt(entry.path) };
        return entry.status.isDirectory()
          ? { entry, attributes: copiedAttributes(entry.path, this.root.calls.files) }
          : { isOther: true };
      });
      if (below?.link !== undefined) return this.#follow(directory, below.link, make, links);
      if (below?.isOther === true) throw invalidArgument(`${name} is not a directory`);
      if (below?.entry !== undefined) {
        const { mode, uid, gid } = below.entry.status;
        const attributes = below.attributes ?? [];
        this.inheritsFromBelow ||= (Number(mode) & 0o2000) !== 0 || attributes.some(([name]) => name === defaultAccess);
        const owner = { uid: Number(uid), gid: Number(gid) };
        if (make) makeDirectory(path, Number(mode) & 0o7777, owner, attributes, this.root.calls);
        return path;
      }
    }
    if (!make) return undefined;
    makeDirectory(path, 0o755, this.owner, [], this.root.calls);
    return path;
  }

  #follow(directory: ByteString, link: ByteString, make: boolean, links: number): ByteString | undefined {
    if (links >= maxLinks) throw invalidArgument('too many levels of symbolic links');
    let at: ByteString | undefined = link.startsWith('/') ? '' : directory;
    for (const part of link.split('/')) {
      if (at === undefined) return undefined;
      if (part === '..') at = parentOf(at);
      else if (part !== '' && part !== '.') at = this.#step(at, part, make, links + 1);
    }
    return at;
  }

  #lowerView(directory: ByteString): LowerView {
    const known = this.#views.get(directory);
    if (known !== undefined) return known;
    const parent = this.#lowerView(parentOf(directory));
    const view = parent.isEmpty ? parent : this.root.outside(() => parent.directory(lastOf(directory)));
    this.#views.set(directory, view);
    return view;
  }
}

/** What was deleted was the one below; it must not be seen through the new one. */
function makeInPlaceOfMark(path: ByteString, owner: FileOwner, calls: KernelCalls): ByteString {
  unlinkSync(nativePath(path));
  makeDirectory(path, 0o755, owner, [], calls);
  calls.makeOpaque(path);
  return path;
}

function makeDirectory(
  path: ByteString,
  mode: number,
  { uid, gid }: FileOwner,
  attributes: readonly (readonly [string, Buffer])[],
  calls: KernelCalls,
): void {
  try {
    mkdirSync(nativePath(path), mode);
  } catch (error) {
    // A process of a running container may have made it meanwhile.
    if (!isErrno(error, 'EEXIST') || statusOf(path)?.isDirectory() !== true) throw error;
    return;
  }
  if (uid !== 0 || gid !== 0) lchownSync(nativePath(path), uid, gid);
  // The call that makes a directory leaves these out.
  if ((mode & 0o6000) !== 0) chmodSync(nativePath(path), mode);
  for (const [name, value] of attributes) calls.setAttribute(path, name, value);
}

function copiedAttributes(path: Buffer, files: Files): (readonly [string, Buffer])[] {
  return files.listAttributes(path).flatMap((name) => {
    const value = /^(trusted|user)\.overlay\./.test(name) ? undefined : files.getAttribute(path, name);
    return value === undefined ? [] : [[name, value] as const];
  });
}
