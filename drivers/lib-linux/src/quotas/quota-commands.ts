import { numberedCall } from '../system-calls/system-call.js';

/** Since Linux 5.14. */
const SYS_QUOTACTL_FD = 443;
const PRJQUOTA = 2;
/** The commands of XFS, which ext4 has too. */
const command = (number: number): number => (((0x58 << 8) | number) << 8) | PRJQUOTA;
const Q_XGETQUOTA = command(3);
const Q_XSETQLIM = command(4);
const Q_XGETQSTAT = command(5);

/** Of `fs_quota_stat.qs_flags`: limits of projects are enforced. */
const FS_QUOTA_PDQ_ENFD = 1 << 5;
/** `struct fs_disk_quota`, as far as it is used. */
const quota = { bytes: 112, version: 0, flags: 1, fields: 2, id: 4, hardLimit: 8, softLimit: 16, inodes: 48 } as const;
const FS_PROJ_QUOTA = 2;
const FS_DQ_BSOFT_AND_BHARD = 0b1100;
/** Bytes: the unit of limits. */
const block = 512;

const quotactl = numberedCall<[fd: number, command: number, id: number, argument: Uint8Array]>(
  'quotactl_fd',
  SYS_QUOTACTL_FD,
  ['unsigned int', 'unsigned int', 'unsigned int', 'uint8_t *'],
);

/** Whether limits of projects are enforced where an open directory is; not where the kernel or file system has none. */
export function enforcesLimits(fd: number): boolean {
  const state = Buffer.alloc(128);
  const result = quotactl.attempt(fd, Q_XGETQSTAT, 0, state);
  return result === 0 && (state.readUInt16LE(2) & FS_QUOTA_PDQ_ENFD) !== 0;
}

/** Whether a directory or file has the project. What a crash left limited without any is used again. */
export function isUsed(fd: number, project: number): boolean {
  const found = Buffer.alloc(quota.bytes);
  // ENOENT: the project has never been used.
  if (quotactl.attempt(fd, Q_XGETQUOTA, project, found) < 0) return false;
  return found.readBigUInt64LE(quota.inodes) > 0n;
}

/** Limits what the files of a project take; 0 bytes is no limit. Throws LinuxError. */
export function setLimit(fd: number, directory: string, project: number, bytes: number): void {
  const limits = Buffer.alloc(quota.bytes);
  const blocks = BigInt(Math.ceil(bytes / block));
  limits.writeInt8(1, quota.version);
  limits.writeInt8(FS_PROJ_QUOTA, quota.flags);
  limits.writeUInt16LE(FS_DQ_BSOFT_AND_BHARD, quota.fields);
  limits.writeUInt32LE(project, quota.id);
  limits.writeBigUInt64LE(blocks, quota.hardLimit);
  limits.writeBigUInt64LE(blocks, quota.softLimit);
  quotactl.call(directory, fd, Q_XSETQLIM, project, limits);
}
