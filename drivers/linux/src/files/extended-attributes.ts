import { constants } from 'node:os';
import { LinuxError } from '../errors/linux-error.js';
import { SystemCall } from '../ffi/system-call.js';

const text = 'const char *';
const lgetxattr = new SystemCall<[path: string, name: string, value: Uint8Array | null, bytes: number]>(
  'lgetxattr',
  'int64_t',
  [text, text, 'void *', 'size_t'],
);
const llistxattr = new SystemCall<[path: string, list: Uint8Array | null, bytes: number]>('llistxattr', 'int64_t', [
  text,
  'void *',
  'size_t',
]);
const lsetxattr = new SystemCall<[path: string, name: string, value: Uint8Array, bytes: number, flags: number]>(
  'lsetxattr',
  'int',
  [text, text, 'void *', 'size_t', 'int'],
);
const lremovexattr = new SystemCall<[path: string, name: string]>('lremovexattr', 'int', [text, text]);

const { ENODATA, ENOTSUP, EOPNOTSUPP, ERANGE } = constants.errno;

/** Nearly all are shorter. */
const firstBytes = 256;

export function getAttribute(path: string, name: string): Buffer | undefined {
  const value = readGrowing((into) => lgetxattr.attempt(path, name, into, into?.length ?? 0));
  if (typeof value !== 'number') return value;
  if (value === -ENODATA || value === -ENOTSUP || value === -EOPNOTSUPP) return undefined;
  throw new LinuxError(-value, 'lgetxattr', { path, detail: name });
}

export function listAttributes(path: string): readonly string[] {
  const list = readGrowing((into) => llistxattr.attempt(path, into, into?.length ?? 0));
  if (typeof list !== 'number') return list.toString('utf8').split('\0').slice(0, -1);
  if (list === -ENOTSUP || list === -EOPNOTSUPP) return [];
  throw new LinuxError(-list, 'llistxattr', { path });
}

export function setAttribute(path: string, name: string, value: Uint8Array): void {
  const result = lsetxattr.attempt(path, name, value, value.length, 0);
  if (result < 0) throw new LinuxError(-result, 'lsetxattr', { path, detail: name });
}

export function removeAttribute(path: string, name: string): void {
  const result = lremovexattr.attempt(path, name);
  if (result < 0 && result !== -ENODATA) throw new LinuxError(-result, 'lremovexattr', { path, detail: name });
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
