import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import {
  archiveEnd,
  type ByteString,
  type EntryType,
  encodeEntry,
  paddingOf,
  plainEntry,
  type TarEntry,
} from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import { deviceNumbers } from '@gantry/lib-linux/files';
import { FileOwners } from './file-owners.js';
import type { JobContext } from './job-context.js';
import { nativePath } from './native-path.js';
import { PieceOutput } from './piece-output.js';
import { exactStatusOf, fileTime } from './status.js';

/** Packs what is in the confined root, entry by entry. */
export class TreePacker {
  readonly #output: PieceOutput;
  /** Names under which files with several links were packed, by device and inode. */
  readonly #linked = new Map<string, ByteString>();

  readonly #owners: FileOwners;

  /** @param options.exact packs the host's owners and the attributes of overlayfs. */
  constructor(
    private readonly context: JobContext,
    private readonly options: { readonly exact: boolean } = { exact: false },
  ) {
    this.#output = new PieceOutput(context);
    this.#owners = options.exact ? FileOwners.identity : context.calls.owners;
  }

  /**
   * Packs what is at a path under a name; of a directory just itself. Sockets are left out, and so is what has gone in
   * the meantime. @returns what it was.
   * @param isFile the directory lists it as a file: it is opened first, and its descriptor has the status, too.
   */
  async add(path: ByteString, name: ByteString, isFile = false): Promise<BigIntStats | undefined> {
    this.context.throwIfAborted();
    const fd = isFile ? openFile(path) : undefined;
    try {
      return await this.#add(path, name, fd);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  async #add(path: ByteString, name: ByteString, opened: number | undefined): Promise<BigIntStats | undefined> {
    const status = opened === undefined ? exactStatusOf(path) : fstatSync(opened, { bigint: true });
    const type = status === undefined ? undefined : typeOf(status);
    if (status === undefined || type === undefined) return undefined;
    const entry = this.#entryOf(path, type === 'directory' && name !== '/' ? `${name}/` : name, type, status);
    const first = type === 'directory' || status.nlink < 2n ? undefined : this.#firstName(status, name);
    if (first !== undefined) {
      await this.#output.write(
        encodeEntry({ ...entry, type: 'link', linkName: first, size: 0, attributes: new Map() }),
      );
    } else if (type === 'file') await this.#addFile(path, entry, status, opened);
    else await this.#output.write(encodeEntry(entry));
    return status;
  }

  /** Packs an empty file: the mark for something deleted. */
  async addMark(name: ByteString, like: BigIntStats | undefined): Promise<void> {
    await this.#output.write(
      encodeEntry({
        ...plainEntry,
        name,
        mode: 0o600,
        modified: fileTime(like?.mtimeNs ?? 0n),
      }),
    );
  }

  async finish(): Promise<void> {
    await this.#output.write(archiveEnd);
    await this.#output.flush();
  }

  /** The name a file was packed under before; undefined when this is its first. */
  #firstName(status: BigIntStats, name: ByteString): ByteString | undefined {
    const key = `${status.dev}:${status.ino}`;
    const first = this.#linked.get(key);
    if (first === undefined) this.#linked.set(key, name);
    return first;
  }

  #entryOf(path: ByteString, name: ByteString, type: EntryType, status: BigIntStats): TarEntry {
    const isDevice = type === 'character-device' || type === 'block-device';
    const device = isDevice ? deviceNumbers(status.rdev) : { major: 0, minor: 0 };
    return {
      ...plainEntry,
      name,
      type,
      mode: Number(status.mode) & 0o7777,
      ...this.#owners.toContainer({ uid: Number(status.uid), gid: Number(status.gid) }),
      size: type === 'file' ? Number(status.size) : 0,
      modified: fileTime(status.mtimeNs),
      linkName: type === 'symlink' ? readlinkSync(nativePath(path), 'latin1') : '',
      ...device,
      attributes: this.#attributesOf(path),
    };
  }

  #attributesOf(path: ByteString): Map<string, Buffer> {
    const attributes = this.context.calls.attributesOf(path, this.options.exact ? isOfFile : isPacked);
    for (const [name, value] of attributes) {
      // The capability of a file names the root it is for: a copy for the same host keeps that.
      if (!this.options.exact) attributes.set(name, this.#owners.attributeToContainer(name, value));
    }
    return attributes;
  }

  async #addFile(path: ByteString, entry: TarEntry, status: BigIntStats, opened: number | undefined): Promise<void> {
    if (opened !== undefined) return this.#addContent(opened, entry);
    const fd = openFile(path);
    if (fd === undefined) return;
    try {
      // A process of a running container may have replaced it.
      if (fstatSync(fd, { bigint: true }).ino === status.ino) await this.#addContent(fd, entry);
    } finally {
      closeSync(fd);
    }
  }

  async #addContent(fd: number, entry: TarEntry): Promise<void> {
    await this.#output.write(encodeEntry(entry));
    const missing = await this.#output.writeFile(fd, entry.size);
    await this.#output.writeZeros(missing + paddingOf(entry.size));
  }
}

function openFile(path: ByteString): number | undefined {
  try {
    return openSync(nativePath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ELOOP', 'ENXIO')) return undefined;
    throw error;
  }
}

function typeOf(status: BigIntStats): EntryType | undefined {
  if (status.isFile()) return 'file';
  if (status.isDirectory()) return 'directory';
  if (status.isSymbolicLink()) return 'symlink';
  if (status.isCharacterDevice()) return 'character-device';
  if (status.isBlockDevice()) return 'block-device';
  return status.isFIFO() ? 'fifo' : undefined;
}

/** Labels are the host's, not the file's. */
const isOfFile = (name: string): boolean => !name.startsWith('security.') || name === 'security.capability';

/** Marks of overlayfs are the engine's. */
const isPacked = (name: string): boolean =>
  !name.startsWith('trusted.overlay.') && !name.startsWith('user.overlay.') && isOfFile(name);
