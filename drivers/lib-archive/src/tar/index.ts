export { archiveEnd, encodeEntry, paddingOf } from './encode.js';
export {
  type ByteString,
  type EntryType,
  plainEntry,
  type SparseMap,
  type SparseRegion,
  type TarEntry,
} from './entry.js';
export { joined, lastOf, normalise, parentOf, printable } from './names.js';
export { type TarHandler, TarReader } from './tar-reader.js';
export { opaqueName, type Whiteout, whiteoutName, whiteoutOf } from './whiteout-name.js';
