import { SystemCall } from '../system-calls/system-call.js';

const FS_IOC_FSGETXATTR = 0x801c581f;
const FS_IOC_FSSETXATTR = 0x401c5820;
/** What is made in the directory gets its project. */
const FS_XFLAG_PROJINHERIT = 0x200;
/** `struct fsxattr`: flags, extent size, number of extents, project, copy-on-write extent size, padding. */
const attributes = { bytes: 28, flags: 0, project: 12 } as const;

const ioctl = new SystemCall<[fd: number, request: number, argument: Uint8Array]>('ioctl', 'int', [
  'int',
  'unsigned long',
  'uint8_t *',
]);

function read(fd: number, directory: string): Buffer {
  const buffer = Buffer.alloc(attributes.bytes);
  ioctl.call(directory, fd, FS_IOC_FSGETXATTR, buffer);
  return buffer;
}

/** The project of an open directory; 0 for none. Throws LinuxError where the file system has no projects. */
export const projectOf = (fd: number, directory: string): number =>
  read(fd, directory).readUInt32LE(attributes.project);

/** Gives an open directory a project, for what will be made in it too. */
export function setProject(fd: number, directory: string, project: number): void {
  const buffer = read(fd, directory);
  buffer.writeUInt32LE((buffer.readUInt32LE(attributes.flags) | FS_XFLAG_PROJINHERIT) >>> 0, attributes.flags);
  buffer.writeUInt32LE(project, attributes.project);
  ioctl.call(directory, fd, FS_IOC_FSSETXATTR, buffer);
}
