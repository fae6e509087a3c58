export { kernelMounts, openKernelMounts } from './kernel-mounts.js';
export { parseMountOptions } from './mount-flags.js';
export {
  type BindRequest,
  type FilesystemStatus,
  type MountEntry,
  type MountFlag,
  type MountRequest,
  Mounts,
  type OverlayRequest,
  type Propagation,
  type UnmountOptions,
} from './mounts.js';
