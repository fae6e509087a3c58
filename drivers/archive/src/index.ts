export { Archive, type ArchiveOptions } from './archive.js';
export type { ExtractLayerOptions, ExtractOptions, LayerJournal, Waiting } from './options.js';
export type {
  ExtractResult,
  LayersRequest,
  ListedEntry,
  MountedTree,
  Owner,
  PathStat,
  ResolvedPath,
  Root,
  SelectedPath,
  TreeListing,
  TreesRequest,
  WhiteoutForm,
} from './pool/requests.js';
