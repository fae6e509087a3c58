import { servicePoint } from '@gantry/core/points';
import { kernelMounts } from './kernel-mounts.js';
/** Names as mount(8) has them. */
export type MountFlag =
  | 'ro'
  | 'nosuid'
  | 'nodev'
  | 'noexec'
  | 'sync'
  | 'dirsync'
  | 'nosymfollow'
  | 'noatime'
  | 'nodiratime'
  | 'relatime'
  | 'strictatime'
  | 'lazytime';

export type Propagation =
  | 'private'
  | 'rprivate'
  | 'slave'
  | 'rslave'
  | 'shared'
  | 'rshared'
  | 'unbindable'
  | 'runbindable';

export interface MountRequest {
  /** A device, a server's path, or any word for types without a source. */
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly flags?: readonly MountFlag[];
  /** Options for the filesystem, comma separated. At most 4095 bytes. */
  readonly data?: string;
}

export interface BindRequest {
  readonly source: string;
  readonly target: string;
  /** Includes the mounts below the source. */
  readonly recursive?: boolean;
  /** Set on top of those the source's mount has; on the topmost mount only. */
  readonly flags?: readonly MountFlag[];
  readonly propagation?: Propagation;
}

export interface OverlayRequest {
  /** Topmost first. One to 500. Any characters, any length in all. */
  readonly lower: readonly string[];
  /** Both or neither; without them the mount is read-only. `work` is empty and on the filesystem of `upper`. */
  readonly upper?: string;
  readonly work?: string;
  readonly target: string;
  readonly flags?: readonly MountFlag[];
  /** Options of overlayfs, such as `index: 'off'`; an empty value sets a flag, such as `volatile: ''`. */
  readonly options?: Readonly<Record<string, string>>;
}

export interface UnmountOptions {
  /**
   * `never`: a busy mount rejects `EBUSY` after some retries within 100 ms. `when-busy` (the default): it is then
   * detached lazily, see MNT_DETACH of umount2(2). `always`: detached lazily at once.
   */
  readonly detach?: 'never' | 'when-busy' | 'always';
  /** For network filesystems whose server does not answer. */
  readonly force?: boolean;
}

/** One line of the kernel's table. */
export interface MountEntry {
  readonly id: number;
  readonly parent: number;
  readonly device: string;
  /** The directory inside the filesystem that is shown. */
  readonly root: string;
  readonly target: string;
  /** Of this mount: `rw`, `nosuid`. */
  readonly options: readonly string[];
  /** Peer group, when propagation is shared. */
  readonly shared: number | undefined;
  /** Peer group it receives from, when it is a slave. */
  readonly master: number | undefined;
  readonly type: string;
  readonly source: string;
  /** Of the filesystem. */
  readonly superOptions: readonly string[];
}

export interface FilesystemStatus {
  /** `ext4`, `xfs`, `overlayfs`, `tmpfs` …; `unknown(0x…)` for others. */
  readonly type: string;
  readonly magic: number;
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** Free for users without privileges. */
  readonly availableBytes: number;
  readonly totalFiles: number;
  readonly freeFiles: number;
}

/** Mounts of the process's mount namespace. Everything rejects LinuxError with the target as its path. */
export interface Mounts {
  /** Mounts a filesystem. `detail` of the rejection is the kernel's reason where it gives one. */
  mount(request: MountRequest): Promise<void>;
  /** Bind-mounts a directory or file. On rejection nothing is mounted. */
  bind(request: BindRequest): Promise<void>;
  overlay(request: OverlayRequest): Promise<void>;
  /** Changes the flags of one mount to exactly these. */
  remount(target: string, flags: readonly MountFlag[]): Promise<void>;
  propagate(target: string, propagation: Propagation): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** Unmounts the topmost mount at a path. Resolves to false when nothing is mounted there or the path is absent. */
  unmount(target: string, options?: UnmountOptions): Promise<boolean>;
  /** Unmounts everything at and below a directory, the deepest and latest first. @returns how many. */
  unmountTree(directory: string, options?: UnmountOptions): Promise<number>;
  /** In the order they were mounted. */
  list(): Promise<readonly MountEntry[]>;
  /** Absent: false. A symbolic link is not followed. */
  isMountPoint(path: string): Promise<boolean>;
  statfs(path: string): Promise<FilesystemStatus>;
}

export const Mounts = servicePoint<Mounts>('linux.mounts', { fallback: () => kernelMounts });
