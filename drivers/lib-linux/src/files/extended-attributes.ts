import { constants } from 'node:os';
import { LinuxError } from '../errors/linux-error.js';
import { SystemCall } from '../system-calls/system-call.js';
import { shown, terminated } from './file-path.js';
import type { FilePath } from './files.js';

const text = 'const char *';
const lgetxattr = new SystemCall<[path: string | Uint8Array, name: string, value: Uint8Array | null, bytes: number]>(
  'lgetxattr',
  'int64_t',
  [text, text, 'void *', 'size_t'],
);
const llistxattr = new SystemCall<[path: string | Uint8Array, list: Uint8Array | null, bytes: number]>(
  'llistxattr',
  'int64_t',
  [text, 'void *', 'size_t'],
);
const lsetxattr = new SystemCall<
  [path: string | Uint8Array, name: string, value: Uint8Array, bytes: number, flags: number]
>('lsetxattr', 'int', [text, text, 'void *', 'size_t', 'int']);
const lremovexattr = new SystemCall<[path: string | Uint8Array, name: string]>('lremovexattr', 'int', [text, text]);

const { ENODATA, ENOTSUP, EOPNOTSUPP, ERANGE } = constants.errno;

/** Nearly all are shorter. */
const firstBytes = 256;

export function getAttribute(path: FilePath, name: string): Buffer | undefined {
  const native = terminated(path);
  const value = readGrowing((into) => lgetxattr.attempt(native, name, into, into?.length ?? 0));
  if (typeof value !== 'number') return value;
  if (value === -ENODATA || value === -ENOTSUP || value === -EOPNOTSUPP) return undefined;
  throw new LinuxError(-value, 'lgetxattr', { path: shown(path), detail: name });
}

export function listAttributes(path: FilePath): readonly string[] {
  const native = terminated(path);
  const list = readGrowing((into) => llistxattr.attempt(native, into, into?.length ?? 0));
  if (typeof list !== 'number') return list.toString('utf8').split('\0').slice(0, -1);
  if (list === -ENOTSUP || list === -EOPNOTSUPP) return [];
  throw new LinuxError(-list, 'llistxattr', { path: shown(path) });
}

export function setAttribute(path: FilePath, name: string, value: Uint8Array): void {
  const result = lsetxattr.attempt(terminated(path), name, value, value.length, 0);
  if (result < 0) throw new LinuxError(-result, 'lsetxattr', { path: shown(path), detail: name });
}

export function removeAttribute(path: FilePath, name: string): void {
  const result = lremovexattr.attempt(terminated(path), name);
  if (result < 0 && result !== -ENODATA)
    throw new LinuxError(-result, 'lremovexattr', { path: shown(path), detail: name });
}

/** What a call that is given too little room answers when asked again with enough. A negative number is its failure. */
function readGrowing(read: (into: Buffer | null) => number): Buffer | number {
  let buffer = Buffer.allocUnsafe(firstBytes);
  for (;;) {
    const length = read(buffer);
    if (length >= 0) return buffer.subarray(0, length);
    if (length !== -ERANGE) return length;
    const needed = read(null);
    if (needed < 0) return needed;
    buffer = Buffer.allocUnsafe(needed + firstBytes);
  }
}
