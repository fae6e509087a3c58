export { Archive, type ArchiveOptions } from './archive.js';
export type { ExtractLayerOptions, ExtractOptions, LayerJournal, Waiting } from './options.js';
export type {
  ExtractResult,
  LayersRequest,
  MountedTree,
  Owner,
  PathStat,
  Root,
  TreesRequest,
  WhiteoutForm,
} from './pool/requests.js';
