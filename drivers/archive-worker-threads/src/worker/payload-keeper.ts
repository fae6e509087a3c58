import { closeSync, constants, mkdirSync, openSync, readSync, type Stats, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ByteString } from '@gantry/lib-archive/tar';
import type { Chroot } from './chroot.js';
import { nativePath } from './native-path.js';
import { statusOf } from './status.js';

/**
 * Knows which files the journal refers to, and keeps their content aside when one of them goes because the archive has
 * something else of the same name later on.
 */
export class PayloadKeeper {
  /** The files, by the numbers of their payloads, as long as nothing was removed: hardly any archive does that. */
  #paths: ByteString[] | undefined = [];
  /** After that, the numbers by inode, since a file can have gone from its path and be there by another. */
  readonly #byInode = new Map<number, number>();
  #hasDirectory = false;

  constructor(
    private readonly root: Chroot,
    /** On the host; made when it is needed. */
    private readonly directory: string,
  ) {}

  /** A file is to hold the payload with the next number. */
  add(path: ByteString, number: number): void {
    if (this.#paths === undefined) this.#remember(path, number);
    else this.#paths[number] = path;
  }

  /** To be called before a file is removed. */
  beforeRemoval(path: ByteString, status: Stats): void {
    const paths = this.#paths;
    this.#paths = undefined;
    paths?.forEach((known, number) => void this.#remember(known, number));
    const number = this.#byInode.get(status.ino);
    if (number === undefined) return;
    this.#byInode.delete(status.ino);
    const from = openSync(nativePath(path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      this.root.outside(() => this.#keep(from, number));
    } finally {
      closeSync(from);
    }
  }

  #remember(path: ByteString, number: number): void {
    const status = statusOf(path);
    if (status !== undefined) this.#byInode.set(status.ino, number);
  }

  #keep(from: number, number: number): void {
    if (!this.#hasDirectory) mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    this.#hasDirectory = true;
    const to = openSync(join(this.directory, String(number)), 'wx', 0o600);
    try {
      const buffer = Buffer.allocUnsafe(1024 * 1024);
      for (;;) {
        const length = readSync(from, buffer, 0, buffer.length, null);
        if (length === 0) break;
        for (let at = 0; at < length; ) at += writeSync(to, buffer, at, length - at);
      }
    } finally {
      closeSync(to);
    }
  }
}
