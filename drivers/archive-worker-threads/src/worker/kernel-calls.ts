import type { ByteString } from '@gantry/lib-archive/tar';
import { type DeviceKind, type FileTime, kernelFiles } from '@gantry/lib-linux/files';
import { nativePath } from './native-path.js';
import { opaqueAttribute } from './status.js';

/** The calls Node's `fs` lacks, for paths of the confined thread. */
export function makeDevice(path: ByteString, kind: DeviceKind, major: number, minor: number, mode: number): void {
  kernelFiles.makeDevice(nativePath(path), kind, major, minor, mode);
}

export function makeFifo(path: ByteString, mode: number): void {
  kernelFiles.makeFifo(nativePath(path), mode);
}

export function setTimes(path: ByteString, accessed: FileTime, modified: FileTime): void {
  kernelFiles.setTimes(nativePath(path), accessed, modified);
}

export function setAttribute(path: ByteString, name: string, value: Uint8Array): void {
  kernelFiles.setAttribute(nativePath(path), name, value);
}

/** All attributes of a file but those for which `wanted` says no. */
export function attributesOf(path: ByteString, wanted: (name: string) => boolean): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const native = nativePath(path);
  for (const name of kernelFiles.listAttributes(native)) {
    const value = wanted(name) ? kernelFiles.getAttribute(native, name) : undefined;
    if (value !== undefined) found.set(name, value);
  }
  return found;
}

export function isOpaque(path: ByteString): boolean {
  const value = kernelFiles.getAttribute(nativePath(path), opaqueAttribute);
  return value !== undefined && value.toString('latin1') === 'y';
}

export function makeOpaque(path: ByteString): void {
  setAttribute(path, opaqueAttribute, opaque);
}

const opaque = Buffer.from('y');
