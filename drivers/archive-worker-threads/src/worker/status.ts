import { type BigIntStats, lstatSync, type Stats } from 'node:fs';
import type { ByteString } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import type { FileTime } from '@gantry/lib-linux/files';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import { nativePath } from './native-path.js';

/** What is at a path, links not followed. Absent: undefined. */
export function statusOf(path: ByteString): Stats | undefined {
  try {
    return lstatSync(nativePath(path), { throwIfNoEntry: false });
  } catch (error) {
    if (isErrno(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The same with all digits of times and inode numbers. */
export function exactStatusOf(path: ByteString): BigIntStats | undefined {
  return lstatSync(nativePath(path), { throwIfNoEntry: false, bigint: true });
}

const second = 1_000_000_000n;

/** Nanoseconds since 1970 in two numbers that are exact. */
export function fileTime(nanoseconds: bigint): FileTime {
  const rest = ((nanoseconds % second) + second) % second;
  return { seconds: Number((nanoseconds - rest) / second), nanoseconds: Number(rest) };
}

/** overlayfs marks what is deleted by a character device 0:0 of that name. */
export const isWhiteout = (status: Stats | BigIntStats): boolean =>
  status.isCharacterDevice() && Number(status.rdev) === 0;

/**
 * The attribute by which overlayfs marks a directory that hides what lies below it. In a user namespace overlays are
 * mounted with `userxattr`, because trusted attributes are for root of the host.
 */
export const opaqueAttribute = isInUserNamespace() ? 'user.overlay.opaque' : 'trusted.overlay.opaque';
