import { closeSync, fchmodSync, fchownSync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import type { SparseMap } from '@gantry/lib-archive/tar';

/** A file that is being written: from one end to the other, or piece by piece when it has holes. */
export class FileInProgress {
  #region = 0;
  #inRegion = 0;

  constructor(
    private readonly fd: number,
    private readonly sparse: SparseMap | undefined,
  ) {}

  write(bytes: Buffer): void {
    if (this.sparse === undefined) this.#writeAt(bytes, null);
    else this.#writeRegions(bytes, this.sparse);
  }

  /**
   * Sets what the file's own descriptor can set, and closes it. Where nothing is inherited from the directory, a file
   * is root's and has the mode it was opened with.
   */
  finish(uid: number, gid: number, mode: number, inherits: boolean): void {
    if (this.sparse !== undefined) ftruncateSync(this.fd, this.sparse.realSize);
    // Mostly nothing was inherited, and to look costs an eighth of what setting both again does.
    const made = inherits ? fstatSync(this.fd) : { uid: 0, gid: 0, mode: mode & 0o777 };
    if (made.uid !== uid || made.gid !== gid) fchownSync(this.fd, uid, gid);
    // After the owner, whose change takes setuid and setgid away.
    if ((made.mode & 0o7777) !== (mode & 0o7777)) fchmodSync(this.fd, mode);
    closeSync(this.fd);
  }

  /** Leaves it as it is. */
  abandon(): void {
    closeSync(this.fd);
  }

  #writeRegions(bytes: Buffer, { regions }: SparseMap): void {
    for (let at = 0; at < bytes.length; ) {
      const region = regions[this.#region];
      if (region === undefined) throw new Error('more content than the map of the sparse file has');
      const part = bytes.subarray(at, at + region.length - this.#inRegion);
      this.#writeAt(part, region.offset + this.#inRegion);
      at += part.length;
      this.#inRegion += part.length;
      if (this.#inRegion === region.length) {
        this.#region++;
        this.#inRegion = 0;
      }
    }
  }

  #writeAt(bytes: Buffer, position: number | null): void {
    for (let at = 0; at < bytes.length; ) {
      at += writeSync(this.fd, bytes, at, bytes.length - at, position === null ? null : position + at);
    }
  }
}
