import type {
  ArchiveRoot,
  ChangedTree,
  ExtractedArchive,
  FileOwner,
  LayerJournal,
  PathChange,
  PathStat,
  ResolvedPath,
  SelectedPath,
  TreeListing,
  WhiteoutForm,
} from '@gantry/core/contracts';

/** Every job of a worker: its request and its result, both plain data. Those that pack send their bytes before. */
export interface Jobs {
  extract: { readonly request: ExtractRequest; readonly result: ExtractResult };
  assemble: { readonly request: AssembleRequest; readonly result: undefined };
  pack: { readonly request: PackRequest; readonly result: undefined };
  'pack-selection': { readonly request: SelectionRequest; readonly result: undefined };
  'pack-changes': { readonly request: ChangedTree; readonly result: undefined };
  changes: { readonly request: ChangedTree; readonly result: readonly PathChange[] };
  list: { readonly request: ListRequest; readonly result: TreeListing };
  resolve: { readonly request: PathRequest; readonly result: ResolvedPath };
  stat: { readonly request: PathRequest; readonly result: PathStat };
  size: { readonly request: SizeRequest; readonly result: number };
  remove: { readonly request: TreeRequest; readonly result: undefined };
  copy: { readonly request: CopyRequest; readonly result: undefined };
}

export type JobKind = keyof Jobs;

export interface ExtractRequest {
  /** Undefined: pieces come over the channel. */
  readonly file: { readonly path: string; readonly offset: number; readonly length: number | undefined } | undefined;
  readonly compression: 'none' | 'gzip';
  readonly root: ArchiveRoot;
  /** Directory inside the root that names are relative to. */
  readonly path: string;
  readonly whiteouts: WhiteoutForm;
  /** Directories below the extracted one, topmost first. */
  readonly lower: readonly string[];
  readonly journal: LayerJournal | undefined;
  readonly owner: FileOwner | undefined;
  readonly hostOwners: boolean;
  /** Whether attributes of overlayfs are set. */
  readonly overlayAttributes: boolean;
  readonly keepDirectories: boolean;
  readonly maxBytes: number | undefined;
  /** Whether the digest of the uncompressed archive is computed. */
  readonly hashed: boolean;
}

export interface ExtractResult extends ExtractedArchive {
  /** Digest of the uncompressed archive; undefined when not requested. */
  readonly diffId: string | undefined;
}

export interface AssembleRequest {
  readonly directory: string;
  readonly journal: LayerJournal;
}

export interface PathRequest {
  readonly root: ArchiveRoot;
  readonly path: string;
}

export interface PackRequest extends PathRequest {
  readonly name: string | undefined;
  /** Owners are the host's, and attributes of overlayfs are packed. */
  readonly exact: boolean;
}

export interface ListRequest extends PathRequest {
  /** Reads all files. */
  readonly digests: boolean;
}

export interface SelectionRequest {
  readonly root: ArchiveRoot;
  readonly items: readonly SelectedPath[];
}

export interface TreeRequest {
  readonly directory: string;
}

export interface SizeRequest extends TreeRequest {
  /** The tree that the directory was copied from: only differing files count. */
  readonly base: string | undefined;
}

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}
