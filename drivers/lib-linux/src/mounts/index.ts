export { kernelMounts } from './kernel-mounts.js';
export { parseMountOptions } from './mount-flags.js';
export { parseMountinfo } from './mountinfo.js';
export type {
  BindRequest,
  FilesystemStatus,
  MountEntry,
  MountFlag,
  MountRequest,
  Mounts,
  OverlayRequest,
  Propagation,
  UnmountOptions,
} from './mounts.js';
