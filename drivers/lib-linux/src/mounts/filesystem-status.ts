import { statfs } from 'node:fs/promises';
import type { FilesystemStatus } from './mounts.js';

const names: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x2fc12fc1: 'zfs',
  0x794c7630: 'overlayfs',
  0x01021994: 'tmpfs',
  0x858458f6: 'ramfs',
  0x6969: 'nfs',
  0xff534d42: 'cifs',
  0xfe534d42: 'smb3',
  0x65735546: 'fuse',
  0x01021997: '9p',
  0x61756673: 'aufs',
  0xf15f: 'ecryptfs',
  0x73717368: 'squashfs',
  0xe0f5e1e2: 'erofs',
  0x4d44: 'vfat',
  0xf2f52010: 'f2fs',
  0x9fa0: 'proc',
  0x62656572: 'sysfs',
  0x27e0eb: 'cgroup',
  0x63677270: 'cgroup2',
  0x6e736673: 'nsfs',
  0x6a656a63: 'virtiofs',
};

/** Room and kind of the filesystem a path is on. */
export async function filesystemStatus(path: string): Promise<FilesystemStatus> {
  const { type, bsize, blocks, bfree, bavail, files, ffree } = await statfs(path);
  const magic = type >>> 0;
  return {
    type: names[magic] ?? `unknown(0x${magic.toString(16)})`,
    magic,
    totalBytes: blocks * bsize,
    freeBytes: bfree * bsize,
    availableBytes: bavail * bsize,
    totalFiles: files,
    freeFiles: ffree,
  };
}
