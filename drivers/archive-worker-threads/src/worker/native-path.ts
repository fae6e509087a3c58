import { isUtf8 } from 'node:buffer';
import type { ByteString } from '@gantry/lib-archive/tar';

/**
 * A path inside the confined thread's root as the system calls take it: a string where the bytes are UTF-8, which
 * nearly all are, else the bytes.
 */
export function nativePath(path: ByteString): string | Buffer {
  if (!notAscii.test(path)) return `/${path}`;
  const bytes = Buffer.from(`/${path}`, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : bytes;
}

/** The text of a symbolic link as the system calls take it. */
export function nativeText(text: ByteString): string | Buffer {
  return notAscii.test(text) ? Buffer.from(text, 'latin1') : text;
}

const notAscii = /[\x80-\xff]/;

/** A host path, which is proper text, in the form paths have in here. */
export const byteString = (path: string): ByteString => Buffer.from(path).toString('latin1');

/** A path in here as text, for answers. */
export const readable = (path: ByteString): string => Buffer.from(path, 'latin1').toString();
