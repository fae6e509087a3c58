export { closeDescriptor } from '../ffi/close-descriptor.js';
export { confineThread } from './confine-thread.js';
export type { Confinement, DeviceKind, FileLock, FilePath, Files, FileTime, OpenInOptions } from './files.js';
export { kernelFiles } from './kernel-files.js';
