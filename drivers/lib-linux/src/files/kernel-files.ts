import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { LinuxError } from '../errors/linux-error.js';
import {
  AT_FDCWD,
  AT_SYMLINK_NOFOLLOW,
  LOCK_EX,
  LOCK_NB,
  LOCK_SH,
  LOCK_UN,
  O_CLOEXEC,
  O_PATH,
  RENAME_EXCHANGE,
  RENAME_NOREPLACE,
  RESOLVE_BENEATH,
  RESOLVE_IN_ROOT,
  RESOLVE_NO_MAGICLINKS,
  RESOLVE_NO_SYMLINKS,
  STATX_BTIME,
  SYS_OPENAT2,
} from '../ffi/constants.js';
import { numberedCall, SystemCall } from '../system-calls/system-call.js';
import { deviceNumber } from './device-numbers.js';
import { getAttribute, listAttributes, removeAttribute, setAttribute } from './extended-attributes.js';
import { shown, terminated } from './file-path.js';
import type { DeviceKind, FileLock, FilePath, Files, FileTime, OpenInOptions } from './files.js';

const text = 'const char *';
const mknod = new SystemCall<[path: string | Uint8Array, mode: number, device: bigint]>('mknod', 'int', [
  text,
  'uint',
  'uint64',
]);
const mkfifo = new SystemCall<[path: string | Uint8Array, mode: number]>('mkfifo', 'int', [text, 'uint']);
const utimensat = new SystemCall<[directory: number, path: string | Uint8Array, times: Uint8Array, flags: number]>(
  'utimensat',
  'int',
  ['int', text, 'void *', 'int'],
);
const statx = new SystemCall<[number, string, number, number, Uint8Array]>('statx', 'int', [
  'int',
  text,
  'int',
  'uint',
  'void *',
]);
const renameat2 = new SystemCall<[number, string, number, string, number]>('renameat2', 'int', [
  'int',
  text,
  'int',
  text,
  'uint',
]);
const flock = new SystemCall<[fd: number, operation: number]>('flock', 'int', ['int', 'int']);
const syncfs = new SystemCall<[fd: number]>('syncfs', 'int', ['int']);
const umask = new SystemCall<[mask: number]>('umask', 'uint', ['uint']);
const openat2 = numberedCall<[directory: number, path: string, how: Uint8Array, bytes: number]>(
  'openat2',
  SYS_OPENAT2,
  ['int', text, 'void *', 'size_t'],
);

const S_IFCHR = 0o020000;
const S_IFBLK = 0o060000;

function makeDevice(path: FilePath, kind: DeviceKind, major: number, minor: number, mode: number): void {
  mknod.call(shown(path), terminated(path), (kind === 'block' ? S_IFBLK : S_IFCHR) | mode, deviceNumber(major, minor));
}

function makeFifo(path: FilePath, mode: number): void {
  mkfifo.call(shown(path), terminated(path), mode);
}

function setTimes(path: FilePath, accessed: FileTime, modified: FileTime): void {
  const times = Buffer.alloc(32);
  for (const [index, time] of [accessed, modified].entries()) {
    times.writeBigInt64LE(BigInt(time.seconds), index * 16);
    times.writeBigInt64LE(BigInt(time.nanoseconds), index * 16 + 8);
  }
  utimensat.call(shown(path), AT_FDCWD, terminated(path), times, AT_SYMLINK_NOFOLLOW);
}

function birthTime(path: string): FileTime | undefined {
  const facts = Buffer.alloc(256);
  statx.call(path, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, facts);
  if ((facts.readUInt32LE(0) & STATX_BTIME) === 0) return undefined;
  return { seconds: Number(facts.readBigInt64LE(80)), nanoseconds: facts.readUInt32LE(88) };
}

/** What the kernel asks for when a rename meanwhile made it unsure whether `..` had left the root. */
const openTries = 32;

function openIn(directory: string | number, path: string, options: OpenInOptions = {}): number {
  const { flags = 0, mode = 0, resolve = 'in-root', noSymlinks = false } = options;
  const root = typeof directory === 'number' ? directory : openSync(directory, O_PATH | O_CLOEXEC);
  try {
    const how = Buffer.alloc(24);
    how.writeBigUInt64LE(BigInt(flags | O_CLOEXEC), 0);
    how.writeBigUInt64LE(BigInt(mode), 8);
    const limits = RESOLVE_NO_MAGICLINKS | (noSymlinks ? RESOLVE_NO_SYMLINKS : 0);
    how.writeBigUInt64LE(BigInt(limits | (resolve === 'in-root' ? RESOLVE_IN_ROOT : RESOLVE_BENEATH)), 16);
    for (let tries = 1; ; tries += 1) {
      const result = openat2.attempt(root, path, how, how.length);
      if (result === -constants.errno.EAGAIN && tries < openTries) continue;
      if (result < 0) throw new LinuxError(-result, 'openat2', { path });
      return result;
    }
  } finally {
    if (typeof directory === 'string') closeSync(root);
  }
}

function exchange(one: string, other: string): void {
  renameat2.call(one, AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

function renameNew(from: string, to: string): void {
  renameat2.call(to, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

function tryLock(fd: number, kind: 'exclusive' | 'shared' = 'exclusive'): boolean {
  const result = flock.attempt(fd, (kind === 'exclusive' ? LOCK_EX : LOCK_SH) | LOCK_NB);
  if (result === -constants.errno.EWOULDBLOCK) return false;
  if (result < 0) throw new LinuxError(-result, 'flock');
  return true;
}

function unlock(fd: number): void {
  flock.call(undefined, fd, LOCK_UN);
}

function lockFile(path: string): FileLock | undefined {
  const fd = openSync(path, 'a', 0o600);
  let isHeld = false;
  try {
    isHeld = tryLock(fd);
  } finally {
    if (!isHeld) closeSync(fd);
  }
  if (!isHeld) return undefined;
  return {
    fd,
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      closeSync(fd);
    },
  };
}

async function syncFilesystem(path: string): Promise<void> {
  const fd = openSync(path, 'r');
  try {
    await syncfs.later(path, fd);
  } finally {
    closeSync(fd);
  }
}

function setUmask(mask: number): number {
  return umask.call(undefined, mask);
}

export const kernelFiles: Files = {
  makeDevice,
  makeFifo,
  getAttribute,
  setAttribute,
  removeAttribute,
  listAttributes,
  setTimes,
  birthTime,
  openIn,
  exchange,
  renameNew,
  tryLock,
  unlock,
  lockFile,
  syncFilesystem,
  setUmask,
};
