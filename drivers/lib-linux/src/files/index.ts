export { closeDescriptor } from '../system-calls/close-descriptor.js';
export { confineThread } from './confine-thread.js';
export { confineToTree } from './confine-to-tree.js';
export { deviceNumbers } from './device-numbers.js';
export {
  type Confinement,
  type DeviceKind,
  type FileLock,
  type FilePath,
  Files,
  type FileTime,
  type OpenInOptions,
  type PlacedMount,
  type ProcessTmpfs,
  type TreeOptions,
} from './files.js';
export { kernelFiles } from './kernel-files.js';
export { setPipeSize } from './set-pipe-size.js';
export { type ShareTmpfsRequest, shareTmpfs } from './share-tmpfs.js';
