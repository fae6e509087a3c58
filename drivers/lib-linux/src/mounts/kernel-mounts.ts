import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import {
  AT_FDCWD,
  AT_NO_AUTOMOUNT,
  AT_STATX_DONT_SYNC,
  AT_SYMLINK_NOFOLLOW,
  MNT_DETACH,
  MNT_FORCE,
  MS_BIND,
  MS_MOVE,
  MS_REC,
  MS_REMOUNT,
  STATX_ATTR_MOUNT_ROOT,
  UMOUNT_NOFOLLOW,
} from '../ffi/constants.js';
import { SystemCall } from '../system-calls/system-call.js';
import { filesystemStatus } from './filesystem-status.js';
import { flagBits, flagsOf, propagationBits } from './mount-flags.js';
import type {
  BindRequest,
  MountEntry,
  MountFlag,
  MountRequest,
  Mounts,
  Propagation,
  UnmountOptions,
} from './mounts.js';
import { mountOverlayByLayers, takesSingleLayers, withOverlayData } from './overlay-mount.js';
import { parseMountinfo } from './parse-mountinfo.js';

const mountCall = new SystemCall<[string | null, string, string | null, number, string | null]>('mount', 'int', [
  'const char *',
  'const char *',
  'const char *',
  'unsigned long',
  'const char *',
]);
const umount2 = new SystemCall<[string, number]>('umount2', 'int', ['const char *', 'int']);
const statx = new SystemCall<[number, string, number, number, Uint8Array]>('statx', 'int', [
  'int',
  'const char *',
  'int',
  'uint',
  'void *',
]);

async function mount({ source, target, type, flags, data }: MountRequest): Promise<void> {
  await mountCall.later(target, source, target, type, flagBits(flags), data ?? null);
}

async function bind({ source, target, recursive, flags = [], propagation }: BindRequest): Promise<void> {
  await mountCall.later(target, source, target, null, MS_BIND | (recursive === true ? MS_REC : 0), null);
  try {
    if (flags.length > 0) {
      // A bind takes its flags from where it comes from, and loses those a remount does not repeat.
      const inherited = flagsOf((await entryAt(target))?.options ?? []);
      await remount(target, [...new Set([...inherited, ...flags])]);
    }
    if (propagation !== undefined) await propagate(target, propagation);
  } catch (error) {
    await unmount(target, { detach: 'always' });
    throw error;
  }
}

/** Mounts overlays the way the kernel supports, which is probed once. */
function overlayMounter(probe: () => boolean): Mounts['overlay'] {
  let byLayers: boolean | undefined;
  return async (request) => {
    byLayers ??= probe();
    if (byLayers) return mountOverlayByLayers(request);
    const { target, flags } = request;
    await withOverlayData(request, (data) =>
      mount({ source: 'overlay', target, type: 'overlay', data, ...(flags !== undefined && { flags }) }),
    );
  };
}

async function remount(target: string, flags: readonly MountFlag[]): Promise<void> {
  await mountCall.later(target, null, target, null, MS_REMOUNT | MS_BIND | flagBits(flags), null);
}

async function propagate(target: string, propagation: Propagation): Promise<void> {
  await mountCall.later(target, null, target, null, propagationBits(propagation), null);
}

async function move(from: string, to: string): Promise<void> {
  await mountCall.later(to, from, to, null, MS_MOVE, null);
}

/** What a scanner or an exec that is just ending holds is usually free again after one of these, in ms. */
const busyPauses = [1, 4, 15, 30, 50];

async function unmount(target: string, options: UnmountOptions = {}): Promise<boolean> {
  const { detach = 'when-busy', force = false } = options;
  const flags = UMOUNT_NOFOLLOW | (force ? MNT_FORCE : 0);
  if (detach === 'always') return tryUnmount(target, flags | MNT_DETACH);
  for (const pause of busyPauses) {
    try {
      return await tryUnmount(target, flags);
    } catch (error) {
      if (!isErrno(error, 'EBUSY')) throw error;
    }
    await delay(pause);
  }
  return tryUnmount(target, detach === 'when-busy' ? flags | MNT_DETACH : flags);
}

async function tryUnmount(target: string, flags: number): Promise<boolean> {
  try {
    await umount2.later(target, target, flags);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    // EINVAL is also what flags that do not go together give, which these always do.
    if (isErrno(error, 'EINVAL')) return false;
    throw error;
  }
}

async function unmountTree(directory: string, options: UnmountOptions = {}): Promise<number> {
  const inside = (await list()).filter(({ target }) => target === directory || target.startsWith(`${directory}/`));
  let count = 0;
  for (const { target } of inside.reverse()) {
    if (await unmount(target, options)) count += 1;
  }
  return count;
}

async function list(): Promise<readonly MountEntry[]> {
  return parseMountinfo(await readFile('/proc/self/mountinfo', 'utf8'));
}

/** The topmost mount at a path. */
async function entryAt(path: string): Promise<MountEntry | undefined> {
  return (await list()).findLast(({ target }) => target === path);
}

async function isMountPoint(path: string): Promise<boolean> {
  const facts = Buffer.alloc(256);
  const flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  const result = statx.attempt(AT_FDCWD, path, flags, 0, facts);
  if (result < 0) {
    const error = new LinuxError(-result, 'statx', { path });
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
  const known = facts.readBigUInt64LE(56);
  // Before 5.8 the kernel does not say.
  if ((known & BigInt(STATX_ATTR_MOUNT_ROOT)) === 0n) return (await entryAt(path)) !== undefined;
  return (facts.readBigUInt64LE(8) & BigInt(STATX_ATTR_MOUNT_ROOT)) !== 0n;
}

/** The mounts of the process. @param probe whether overlayfs takes layers one by one; tests pass another one. */
export const openKernelMounts = (probe: () => boolean = takesSingleLayers): Mounts => ({
  mount,
  bind,
  overlay: overlayMounter(probe),
  remount,
  propagate,
  move,
  unmount,
  unmountTree,
  list,
  isMountPoint,
  statfs: filesystemStatus,
});

export const kernelMounts: Mounts = openKernelMounts();
