import type { PathChange } from '@gantry/core/contracts';
import type {
  AssembleRequest,
  CopyRequest,
  ExtractRequest,
  ExtractResult,
  LayersRequest,
  ListRequest,
  PackRequest,
  PathStat,
  ResolvedPath,
  SelectionRequest,
  StatRequest,
  TreeListing,
  TreeRequest,
  TreesRequest,
} from './requests.js';

/** Everything a thread can do: what it is asked, and what it answers. Those that pack send their bytes before. */
export interface Jobs {
  extract: { readonly request: ExtractRequest; readonly result: ExtractResult };
  assemble: { readonly request: AssembleRequest; readonly result: undefined };
  pack: { readonly request: PackRequest; readonly result: undefined };
  'pack-selection': { readonly request: SelectionRequest; readonly result: undefined };
  'pack-upper': { readonly request: LayersRequest; readonly result: undefined };
  'upper-changes': { readonly request: LayersRequest; readonly result: readonly PathChange[] };
  'pack-difference': { readonly request: TreesRequest; readonly result: undefined };
  'tree-changes': { readonly request: TreesRequest; readonly result: readonly PathChange[] };
  'tree-growth': { readonly request: TreesRequest; readonly result: number };
  list: { readonly request: ListRequest; readonly result: TreeListing };
  resolve: { readonly request: StatRequest; readonly result: ResolvedPath };
  stat: { readonly request: StatRequest; readonly result: PathStat };
  size: { readonly request: TreeRequest; readonly result: number };
  remove: { readonly request: TreeRequest; readonly result: undefined };
  copy: { readonly request: CopyRequest; readonly result: undefined };
}

export type JobKind = keyof Jobs;
