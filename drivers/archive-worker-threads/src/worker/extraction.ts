import { constants, lchownSync, linkSync, mkdirSync, openSync, type Stats, symlinkSync } from 'node:fs';
import type { FileOwner } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import {
  type ByteString,
  joined,
  lastOf,
  normalise,
  parentOf,
  type TarEntry,
  type TarHandler,
  whiteoutOf,
} from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import type { FileTime } from '@gantry/lib-linux/files';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import type { ExtractRequest } from '../pool/jobs.js';
import { applyMetadata, type MetadataOptions } from './apply-metadata.js';
import type { Chroot } from './chroot.js';
import { entryError } from './entry-error.js';
import { FileInProgress } from './file-in-progress.js';
import { FileOwners } from './file-owners.js';
import type { JournalWriter } from './journal-writer.js';
import type { KernelCalls } from './kernel-calls.js';
import { LowerView } from './lower-view.js';
import { nativePath, nativeText } from './native-path.js';
import { defaultAccess, ParentDirectories } from './parent-directories.js';
import { PayloadKeeper } from './payload-keeper.js';
import { removeAt } from './remove-below.js';
import { isWhiteout, statusOf } from './status.js';
import { WhiteoutApplication } from './whiteout-application.js';

/** No system call takes a longer path. */
const longestPath = 4095;

/** Makes the entries of an archive, as they come, in the confined thread's root. */
export class Extraction implements TarHandler {
  /** Sum of the sizes of what was made, as `treeSize` would have it. */
  size = 0;
  entries = 0;
  readonly #calls: KernelCalls;
  readonly #owners: FileOwners;
  readonly #metadata: MetadataOptions;
  readonly #parents: ParentDirectories;
  readonly #keeper: PayloadKeeper | undefined;
  readonly #application: WhiteoutApplication | undefined;
  /** Times are set at the end, because every new entry in a directory changes them. */
  readonly #directoryTimes = new Map<ByteString, TarEntry>();
  /** New files may get a group or a mode from the directory they are in. */
  #inherits: boolean;
  #entry: TarEntry | undefined;
  #file: { readonly progress: FileInProgress; readonly path: ByteString } | undefined;
  /** What the journal gets of the entry's payload: the bytes, a word on where they are, or nothing more. */
  #journalled: 'bytes' | 'reference' | 'done' = 'bytes';

  constructor(
    root: Chroot,
    private readonly request: Pick<
      ExtractRequest,
      'whiteouts' | 'lower' | 'owner' | 'hostOwners' | 'overlayAttributes' | 'keepDirectories' | 'journal'
    >,
    private readonly base: ByteString,
    private readonly journal: JournalWriter | undefined,
    private readonly throwIfAborted: () => void,
  ) {
    this.#calls = root.calls;
    this.#owners = request.hostOwners ? FileOwners.identity : root.calls.owners;
    this.#metadata = { owners: this.#owners, overlayAttributes: request.overlayAttributes };
    const lower = LowerView.of(request.lower, root.calls.files);
    this.#parents = new ParentDirectories(root, base, lower, request.whiteouts === 'overlay', this.#owners.root);
    this.#keeper = request.journal === undefined ? undefined : new PayloadKeeper(root, request.journal.payloads);
    this.#inherits = request.whiteouts !== 'overlay';
    this.#application = request.whiteouts === 'apply' ? new WhiteoutApplication(base) : undefined;
  }

  raw(bytes: Buffer): void {
    this.journal?.raw(bytes);
  }

  begin(entry: TarEntry): void {
    this.throwIfAborted();
    this.#entry = entry;
    this.#journalled = 'bytes';
    this.entries++;
    try {
      this.#make(entry);
    } catch (error) {
      throw entryError(entry, error);
    }
  }

  payload(bytes: Buffer): void {
    try {
      this.#file?.progress.write(bytes);
    } catch (error) {
      throw this.#entry === undefined ? error : entryError(this.#entry, error);
    }
    if (this.#journalled === 'bytes') this.journal?.raw(bytes);
    else if (this.#journalled === 'reference') this.#refer();
  }

  end(): void {
    const [file, entry] = [this.#file, this.#entry];
    if (file === undefined || entry === undefined) return;
    this.#file = undefined;
    try {
      const { uid, gid } = this.#ownerOf(entry);
      file.progress.finish(uid, gid, entry.mode, this.#inherits || this.#parents.inheritsFromBelow);
      applyMetadata(file.path, entry, this.#calls, this.#metadata);
    } catch (error) {
      throw entryError(entry, error);
    }
  }

  /** To be called after the last entry. */
  finish(): void {
    for (const [path, entry] of this.#directoryTimes) this.#calls.setTimes(path, accessTime(entry), entry.modified);
  }

  /** Gives up what is open. */
  abandon(): void {
    this.#file?.progress.abandon();
    this.#file = undefined;
  }

  #make(entry: TarEntry): void {
    const name = normalise(entry.name);
    if (name.length > longestPath) throw invalidArgument('the name is too long');
    if (this.request.whiteouts !== 'none') {
      const whiteout = whiteoutOf(name);
      if (whiteout.type === 'opaque') this.#hideBelow(parentOf(name));
      else if (whiteout.type === 'deletes') this.#delete(this.#parent(name), whiteout.name);
      if (whiteout.type !== 'none') return;
    }
    if (name === '') this.#describeRoot(entry);
    else {
      const path = joined(this.#parent(name), lastOf(name));
      this.#create(entry, path);
      this.#application?.made(path);
    }
  }

  #ownerOf(entry: TarEntry): FileOwner {
    return this.#owners.toHost(this.request.owner ?? entry);
  }

  #parent(name: ByteString): ByteString {
    const parent = this.#parents.resolve(parentOf(name), true);
    if (parent === undefined) throw new Error(`the directory of ${name} was not made`);
    return parent;
  }

  /** An archive may say what the directory itself is like, which matters where that belongs to the archive. */
  #describeRoot(entry: TarEntry): void {
    if (entry.type !== 'directory') throw invalidArgument('the root can only be a directory');
    if (this.request.whiteouts !== 'none') this.#describeDirectory(entry, this.base);
  }

  #create(entry: TarEntry, path: ByteString): void {
    if (entry.type === 'link') this.#link(entry, path);
    else if (entry.type === 'directory') this.#makeDirectory(entry, path);
    else if (entry.type === 'file') this.#openFile(entry, path);
    else this.#makeSpecial(entry, path);
  }

  #makeSpecial(entry: TarEntry, path: ByteString): void {
    // No device works there, and the kernel makes none; the archive that is packed from the journal still has it.
    if (isDevice(entry) && isInUserNamespace() && !this.#isMark(entry)) return;
    this.#inPlaceOfOld(path, entry, () => this.#makeNode(entry, path));
    const { uid, gid } = this.#ownerOf(entry);
    lchownSync(nativePath(path), uid, gid);
    applyMetadata(path, entry, this.#calls, this.#metadata);
  }

  /** What overlayfs hides a file by, which is no device. */
  #isMark({ type, major, minor }: TarEntry): boolean {
    return this.request.overlayAttributes && type === 'character-device' && major === 0 && minor === 0;
  }

  #makeNode(entry: TarEntry, path: ByteString): void {
    if (entry.type === 'symlink') {
      symlinkSync(nativeText(entry.linkName), nativePath(path));
      this.size += entry.linkName.length;
    } else if (entry.type === 'fifo') this.#calls.makeFifo(path, entry.mode);
    else {
      const kind = entry.type === 'block-device' ? 'block' : 'character';
      this.#calls.makeDevice(path, kind, entry.major, entry.minor, entry.mode);
    }
  }

  #openFile(entry: TarEntry, path: ByteString): void {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    const fd = this.#inPlaceOfOld(path, entry, () => openSync(nativePath(path), flags, entry.mode & 0o777));
    this.#file = { progress: new FileInProgress(fd, entry.sparse), path };
    this.size += entry.sparse?.realSize ?? entry.size;
    if (entry.sparse === undefined) this.#journalled = 'reference';
  }

  /** Here, where the journal has the header already. */
  #refer(): void {
    this.#journalled = 'done';
    if (this.#file === undefined || this.#entry === undefined || this.journal === undefined) return;
    this.#keeper?.add(this.#file.path, this.journal.payload(this.#file.path, this.#entry.size));
  }

  #makeDirectory(entry: TarEntry, path: ByteString): void {
    let hidesBelow = false;
    try {
      mkdirSync(nativePath(path), entry.mode & 0o777);
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
      const old = statusOf(path);
      if (old?.isDirectory() !== true) {
        hidesBelow = this.#remove(path, old, entry);
        mkdirSync(nativePath(path), entry.mode & 0o777);
      }
    }
    this.#describeDirectory(entry, path);
    if (hidesBelow) this.#calls.makeOpaque(path);
  }

  #describeDirectory(entry: TarEntry, path: ByteString): void {
    const { uid, gid } = this.#ownerOf(entry);
    lchownSync(nativePath(path), uid, gid);
    applyMetadata(path, entry, this.#calls, this.#metadata);
    this.#directoryTimes.set(path, entry);
    this.#inherits ||= (entry.mode & 0o2000) !== 0 || entry.attributes.has(defaultAccess);
  }

  #link(entry: TarEntry, path: ByteString): void {
    const target = normalise(entry.linkName);
    const parent = this.#parents.resolve(parentOf(target), false);
    const existing = parent === undefined || target === '' ? undefined : joined(parent, lastOf(target));
    const status = existing === undefined ? undefined : statusOf(existing);
    if (existing === undefined || status === undefined) {
      throw invalidArgument(`the target ${entry.linkName} of the hard link is not there`);
    }
    if (status.isDirectory()) throw invalidArgument(`the target ${entry.linkName} of the hard link is a directory`);
    if (existing === path) return;
    this.#inPlaceOfOld(path, entry, () => linkSync(nativePath(existing), nativePath(path)));
  }

  /** Tries to make something, and again after what had the name before has been removed. */
  #inPlaceOfOld<T>(path: ByteString, entry: TarEntry, make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
    }
    this.#remove(path, statusOf(path), entry);
    return make();
  }

  /** Removes an existing file of a new entry's name. @returns whether it was a whiteout. */
  #remove(path: ByteString, old: Stats | undefined, entry: TarEntry): boolean {
    if (old === undefined) return false;
    if (this.request.keepDirectories && old.isDirectory() !== (entry.type === 'directory')) {
      throw invalidArgument(
        old.isDirectory()
          ? `cannot overwrite directory "/${path}" with non-directory "${entry.name}"`
          : `cannot overwrite non-directory "/${path}" with directory "${entry.name}"`,
      );
    }
    const isMark = this.request.whiteouts === 'overlay' && isWhiteout(old);
    this.#removeOld(path, old);
    return isMark;
  }

  #removeOld(path: ByteString, status: Stats): void {
    if (status.isDirectory() || status.isSymbolicLink()) this.#parents.forget();
    removeAt(path, status, {
      onFile: (file) => {
        const old = statusOf(file);
        if (old?.isFile() === true) this.#keeper?.beforeRemoval(file, old);
        // What the layers below have was not counted here.
        const isOwn = this.#application?.hasMade(file) ?? true;
        if (isOwn && old?.nlink === 1) this.size -= old.size;
        this.#application?.removed(file);
        return true;
      },
      onDirectory: (directory) => {
        this.#directoryTimes.delete(directory);
        this.#application?.removed(directory);
      },
    });
  }

  #hideBelow(name: ByteString): void {
    const directory = this.#parents.resolve(name, true);
    if (directory === undefined) return;
    if (this.#application === undefined) this.#calls.makeOpaque(directory);
    else if (this.#application.empty(directory)) this.#parents.forget();
  }

  /** What is deleted is the lower one: what this archive itself has under the name stays. */
  #delete(directory: ByteString, name: ByteString): void {
    const path = joined(directory, name);
    if (this.#application !== undefined) {
      if (this.#application.remove(path)) this.#parents.forget();
      return;
    }
    const own = statusOf(path);
    if (own === undefined) this.#calls.makeDevice(path, 'character', 0, 0, 0);
    else if (own.isDirectory()) this.#calls.makeOpaque(path);
  }
}

const isDevice = ({ type }: TarEntry): boolean => type === 'block-device' || type === 'character-device';

const accessTime = (entry: TarEntry): FileTime => entry.accessed ?? entry.modified;
