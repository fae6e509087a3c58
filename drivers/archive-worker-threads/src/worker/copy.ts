import {
  type BigIntStats,
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { isErrno } from '@gantry/lib-linux';
import { deviceNumbers, type Files } from '@gantry/lib-linux/files';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import type { CopyRequest } from '../pool/jobs.js';
import type { JobContext } from './job-context.js';
import { fileTime } from './status.js';

/**
 * Copies the content and the metadata of a directory to another one that exists. Neither may change meanwhile. Files
 * share their blocks where the file system supports it.
 */
export async function copy({ from, to }: CopyRequest, context: JobContext): Promise<undefined> {
  new TreeCopy(context, context.calls.files).content(Buffer.from(from), Buffer.from(to));
  return undefined;
}

class TreeCopy {
  /** Copies of files that have several names. */
  readonly #linked = new Map<bigint, Buffer>();

  constructor(
    private readonly context: JobContext,
    private readonly files: Files,
  ) {}

  content(from: Buffer, to: Buffer): void {
    this.context.throwIfAborted();
    for (const name of readdirSync(from, 'buffer')) this.#entry(below(from, name), below(to, name));
    this.#copyMetadata(from, to, lstatSync(from, { bigint: true }));
  }

  #entry(from: Buffer, to: Buffer): void {
    const status = lstatSync(from, { bigint: true });
    const first = status.nlink > 1n ? this.#linked.get(status.ino) : undefined;
    if (status.isDirectory()) {
      mkdirSync(to, 0o700);
      this.content(from, to);
    } else if (first !== undefined) linkSync(first, to);
    else {
      if (status.nlink > 1n) this.#linked.set(status.ino, to);
      this.#single(from, to, status);
    }
  }

  #single(from: Buffer, to: Buffer, status: BigIntStats): void {
    if (status.isFile()) copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    else if (status.isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), to);
    else if (status.isFIFO()) this.files.makeFifo(to, 0o600);
    else if (status.isSocket()) return;
    else {
      const { major, minor } = deviceNumbers(status.rdev);
      // The kernel makes no others in a user namespace.
      if (isInUserNamespace() && (major !== 0 || minor !== 0)) return;
      this.files.makeDevice(to, status.isBlockDevice() ? 'block' : 'character', major, minor, 0o600);
    }
    this.#copyMetadata(from, to, status);
  }

  #copyMetadata(from: Buffer, to: Buffer, status: BigIntStats): void {
    lchownSync(to, Number(status.uid), Number(status.gid));
    if (!status.isSymbolicLink()) chmodSync(to, Number(status.mode) & 0o7777);
    for (const name of this.files.listAttributes(from)) {
      const value = this.files.getAttribute(from, name);
      if (value !== undefined) this.#copyAttribute(to, name, value);
    }
    this.files.setTimes(to, fileTime(status.atimeNs), fileTime(status.mtimeNs));
  }

  #copyAttribute(to: Buffer, name: string, value: Buffer): void {
    try {
      this.files.setAttribute(to, name, value);
    } catch (error) {
      if (!isErrno(error, 'ENOTSUP', 'EOPNOTSUPP')) throw error;
    }
  }
}

const below = (directory: Buffer, name: Buffer): Buffer => Buffer.concat([directory, slash, name]);

const slash = Buffer.from('/');
