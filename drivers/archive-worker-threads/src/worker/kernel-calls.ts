import type { ByteString } from '@gantry/lib-archive/tar';
import type { DeviceKind, Files, FileTime } from '@gantry/lib-linux/files';
import type { FileOwners } from './file-owners.js';
import { nativePath } from './native-path.js';
import { opaqueAttribute } from './status.js';

/** The calls Node's `fs` lacks, for paths of the confined thread. */
export class KernelCalls {
  /** @param files the same calls, for the host's own paths. */
  constructor(
    readonly files: Files,
    readonly owners: FileOwners,
  ) {}

  makeDevice(path: ByteString, kind: DeviceKind, major: number, minor: number, mode: number): void {
    this.files.makeDevice(nativePath(path), kind, major, minor, mode);
  }

  makeFifo(path: ByteString, mode: number): void {
    this.files.makeFifo(nativePath(path), mode);
  }

  setTimes(path: ByteString, accessed: FileTime, modified: FileTime): void {
    this.files.setTimes(nativePath(path), accessed, modified);
  }

  setAttribute(path: ByteString, name: string, value: Uint8Array): void {
    this.files.setAttribute(nativePath(path), name, value);
  }

  /** All attributes of a file but those for which `wanted` says no. */
  attributesOf(path: ByteString, wanted: (name: string) => boolean): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    const native = nativePath(path);
    for (const name of this.files.listAttributes(native)) {
      const value = wanted(name) ? this.files.getAttribute(native, name) : undefined;
      if (value !== undefined) found.set(name, value);
    }
    return found;
  }

  isOpaque(path: ByteString): boolean {
    const value = this.files.getAttribute(nativePath(path), opaqueAttribute);
    return value !== undefined && value.toString('latin1') === 'y';
  }

  makeOpaque(path: ByteString): void {
    this.setAttribute(path, opaqueAttribute, opaque);
  }
}

const opaque = Buffer.from('y');
