/** Numbers of the kernel's interface, from its public headers. All in one place, named as there. */

export const O_CLOEXEC = 0o2000000;
export const O_PATH = 0o10000000;
export const AT_FDCWD = -100;
export const AT_SYMLINK_NOFOLLOW = 0x100;
export const AT_NO_AUTOMOUNT = 0x800;
export const AT_STATX_DONT_SYNC = 0x4000;

export const STATX_BTIME = 0x800;
export const STATX_ATTR_MOUNT_ROOT = 0x2000;

export const MS_RDONLY = 1;
export const MS_NOSUID = 2;
export const MS_NODEV = 4;
export const MS_NOEXEC = 8;
export const MS_SYNCHRONOUS = 16;
export const MS_REMOUNT = 32;
export const MS_DIRSYNC = 128;
export const MS_NOSYMFOLLOW = 256;
export const MS_NOATIME = 1024;
export const MS_NODIRATIME = 2048;
export const MS_BIND = 4096;
export const MS_MOVE = 8192;
export const MS_REC = 16384;
export const MS_UNBINDABLE = 1 << 17;
export const MS_PRIVATE = 1 << 18;
export const MS_SLAVE = 1 << 19;
export const MS_SHARED = 1 << 20;
export const MS_RELATIME = 1 << 21;
export const MS_STRICTATIME = 1 << 24;
export const MS_LAZYTIME = 1 << 25;

export const MNT_FORCE = 1;
export const MNT_DETACH = 2;
export const UMOUNT_NOFOLLOW = 8;

export const MOUNT_ATTR_RDONLY = 1;
export const MOUNT_ATTR_NOSUID = 2;
export const MOUNT_ATTR_NODEV = 4;
export const MOUNT_ATTR_NOEXEC = 8;
export const MOUNT_ATTR_NOATIME = 0x10;
export const MOUNT_ATTR_NODIRATIME = 0x80;
export const FSOPEN_CLOEXEC = 1;
export const FSMOUNT_CLOEXEC = 1;
export const FSCONFIG_SET_FLAG = 0;
export const FSCONFIG_SET_STRING = 1;
export const FSCONFIG_CMD_CREATE = 6;
export const MOVE_MOUNT_F_EMPTY_PATH = 4;
export const MOVE_MOUNT_T_SYMLINKS = 0x10;
export const MOVE_MOUNT_T_EMPTY_PATH = 0x40;
export const OPEN_TREE_CLONE = 1;

export const SYS_OPEN_TREE = 428;
export const SYS_MOVE_MOUNT = 429;
export const SYS_FSOPEN = 430;
export const SYS_FSCONFIG = 431;
export const SYS_FSMOUNT = 432;
export const SYS_PIDFD_OPEN = 434;
export const SYS_OPENAT2 = 437;

export const CLONE_FS = 0x200;
export const CLONE_NEWNS = 0x20000;
export const CLONE_NEWNET = 0x40000000;

export const AF_UNIX = 1;
export const AF_INET = 2;
export const AF_BRIDGE = 7;
export const AF_INET6 = 10;
export const AF_NETLINK = 16;
export const SOCK_STREAM = 1;
export const SOCK_DGRAM = 2;
export const SOCK_RAW = 3;
export const SOCK_SEQPACKET = 5;
export const SOCK_NONBLOCK = 0o4000;
export const SOCK_CLOEXEC = 0o2000000;
export const SOL_SOCKET = 1;
export const SO_REUSEADDR = 2;
export const SO_SNDBUF = 7;
export const SO_RCVTIMEO = 20;
export const SO_RCVBUF = 8;
export const SO_PEERCRED = 17;
export const IPPROTO_IPV6 = 41;
export const IPV6_V6ONLY = 26;
export const SHUT_WR = 1;
export const MSG_DONTWAIT = 0x40;
export const MSG_NOSIGNAL = 0x4000;

export const RESOLVE_NO_MAGICLINKS = 2;
export const RESOLVE_NO_SYMLINKS = 4;
export const RESOLVE_BENEATH = 8;
export const RESOLVE_IN_ROOT = 0x10;

export const RENAME_NOREPLACE = 1;
export const RENAME_EXCHANGE = 2;

export const LOCK_SH = 1;
export const LOCK_EX = 2;
export const LOCK_NB = 4;
export const LOCK_UN = 8;

export const PR_SET_DUMPABLE = 4;
export const PR_SET_CHILD_SUBREAPER = 36;

export const WNOHANG = 1;
export const POSIX_SPAWN_SETSIGDEF = 4;
export const POSIX_SPAWN_SETSIGMASK = 8;
export const POSIX_SPAWN_SETSID = 0x80;
export const EFD_CLOEXEC = 0o2000000;
