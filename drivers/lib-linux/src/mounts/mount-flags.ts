import {
  MOUNT_ATTR_NOATIME,
  MOUNT_ATTR_NODEV,
  MOUNT_ATTR_NODIRATIME,
  MOUNT_ATTR_NOEXEC,
  MOUNT_ATTR_NOSUID,
  MOUNT_ATTR_RDONLY,
  MS_DIRSYNC,
  MS_LAZYTIME,
  MS_NOATIME,
  MS_NODEV,
  MS_NODIRATIME,
  MS_NOEXEC,
  MS_NOSUID,
  MS_NOSYMFOLLOW,
  MS_PRIVATE,
  MS_RDONLY,
  MS_REC,
  MS_RELATIME,
  MS_SHARED,
  MS_SLAVE,
  MS_STRICTATIME,
  MS_SYNCHRONOUS,
  MS_UNBINDABLE,
} from '../ffi/constants.js';
import type { MountFlag, Propagation } from './mounts.js';

const numbers = {
  ro: MS_RDONLY,
  nosuid: MS_NOSUID,
  nodev: MS_NODEV,
  noexec: MS_NOEXEC,
  sync: MS_SYNCHRONOUS,
  dirsync: MS_DIRSYNC,
  nosymfollow: MS_NOSYMFOLLOW,
  noatime: MS_NOATIME,
  nodiratime: MS_NODIRATIME,
  relatime: MS_RELATIME,
  strictatime: MS_STRICTATIME,
  lazytime: MS_LAZYTIME,
} as const satisfies Record<MountFlag, number>;

/** The same flags for the newer calls; what is missing there belongs to the filesystem or is the default. */
const attributes: Partial<Record<MountFlag, number>> = {
  ro: MOUNT_ATTR_RDONLY,
  nosuid: MOUNT_ATTR_NOSUID,
  nodev: MOUNT_ATTR_NODEV,
  noexec: MOUNT_ATTR_NOEXEC,
  noatime: MOUNT_ATTR_NOATIME,
  nodiratime: MOUNT_ATTR_NODIRATIME,
};

const propagations = {
  private: MS_PRIVATE,
  rprivate: MS_PRIVATE | MS_REC,
  slave: MS_SLAVE,
  rslave: MS_SLAVE | MS_REC,
  shared: MS_SHARED,
  rshared: MS_SHARED | MS_REC,
  unbindable: MS_UNBINDABLE,
  runbindable: MS_UNBINDABLE | MS_REC,
} as const satisfies Record<Propagation, number>;

export function flagBits(flags: readonly MountFlag[] = []): number {
  return flags.reduce((bits, flag) => bits | numbers[flag], 0);
}

export function attributeBits(flags: readonly MountFlag[] = []): number {
  return flags.reduce((bits, flag) => bits | (attributes[flag] ?? 0), 0);
}

export function propagationBits(propagation: Propagation): number {
  return propagations[propagation];
}

/** Those among a mount's options that are flags of it. */
export function flagsOf(options: readonly string[]): readonly MountFlag[] {
  return options.filter((option): option is MountFlag => option in numbers);
}

/** Splits an option string of mount(8), such as `ro,size=10m,nosuid`, into flags and options of the filesystem. */
export function parseMountOptions(text: string): { readonly flags: readonly MountFlag[]; readonly data: string } {
  const flags = new Set<MountFlag>();
  const data: string[] = [];
  for (const word of text.split(',')) {
    if (word === '' || word === 'defaults') continue;
    const opposite = opposites[word];
    if (word in numbers) flags.add(word as MountFlag);
    else if (opposite !== undefined) flags.delete(opposite);
    else data.push(word);
  }
  return { flags: [...flags], data: data.join(',') };
}

const opposites: Readonly<Record<string, MountFlag>> = {
  rw: 'ro',
  suid: 'nosuid',
  dev: 'nodev',
  exec: 'noexec',
  async: 'sync',
  atime: 'noatime',
  diratime: 'nodiratime',
};
