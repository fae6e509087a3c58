import type { PlacedMount } from '@gantry/lib-linux/files';

/** Requests and results as they cross threads: plain data only. */

/** A directory that nothing leaves; or one with others of the host mounted in it, as a container sees them. */
export type Root = string | MountedTree;

export interface MountedTree {
  readonly directory: string;
  readonly mounts: readonly PlacedMount[];
  /** Nothing outside of the mounts can be changed. */
  readonly readOnly: boolean;
}

/** What `.wh.` names mean: kept as overlayfs marks them, carried out on the tree, or nothing special. */
export type WhiteoutForm = 'overlay' | 'apply' | 'none';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface ExtractRequest {
  /** Undefined, and no socket either: pieces come over the channel. */
  readonly file: { readonly path: string; readonly offset: number; readonly length: number | undefined } | undefined;
  readonly socket: SocketSource | undefined;
  readonly compression: 'none' | 'gzip';
  readonly root: Root;
  /** Directory inside the root that names are relative to. */
  readonly path: string;
  readonly whiteouts: WhiteoutForm;
  /** Directories the extracted one will lie upon, topmost first. */
  readonly lower: readonly string[];
  readonly journal: { readonly file: string; readonly payloads: string } | undefined;
  readonly owner: Owner | undefined;
  readonly keepDirectories: boolean;
  readonly maxBytes: number | undefined;
  /** Whether the digest of the uncompressed archive is wanted. */
  readonly hashed: boolean;
}

/** A body that the thread reads of the client's connection itself. */
export interface SocketSource {
  readonly beginning: Uint8Array;
  readonly descriptor: number;
  /** Bytes to read of the descriptor. */
  readonly length: number;
  /** Milliseconds to wait for the next; 0 is without end. */
  readonly idle: number;
  /** Of a `SocketProgress`. */
  readonly progress: SharedArrayBuffer;
}

export interface ExtractResult {
  /** Digest of the uncompressed archive; undefined where it was not asked for. */
  readonly diffId: string | undefined;
  readonly size: number;
  /** Bytes of the uncompressed archive. */
  readonly tarSize: number;
  readonly entries: number;
}

export interface AssembleRequest {
  readonly directory: string;
  readonly journal: string;
  readonly payloads: string;
}

export interface PackRequest {
  readonly root: Root;
  readonly path: string;
  readonly name: string | undefined;
}

/** A directory of changes, and what lies below it, topmost first. */
export interface LayersRequest {
  readonly upper: string;
  readonly lower: readonly string[];
}

/** A tree and the one it was copied from; undefined: from nothing. */
export interface TreesRequest {
  readonly tree: string;
  readonly base: string | undefined;
}

export interface StatRequest {
  readonly root: Root;
  readonly path: string;
}

export interface TreeRequest {
  readonly directory: string;
}

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

/** What is at a path. */
export interface PathStat {
  /** The last part of the path. */
  readonly name: string;
  readonly size: number;
  /** As in `st_mode`: type and permissions. */
  readonly mode: number;
  readonly modified: { readonly seconds: number; readonly nanoseconds: number };
  /** Of a symbolic link: where it leads inside the root, all links on the way followed. Else empty. */
  readonly linkTarget: string;
}

/** Several things of one root, each under a name of its own. */
export interface SelectionRequest {
  readonly root: Root;
  readonly items: readonly SelectedPath[];
}

export interface SelectedPath {
  /** Inside the root; links on the way are followed, one at the end only when a slash comes behind it. */
  readonly path: string;
  /** A directory's content comes below it. */
  readonly name: string;
  /** Of a directory only the content, not the directory itself. */
  readonly contentOnly: boolean;
}

/** Where a path leads, all links followed inside the root. */
export interface ResolvedPath {
  /** Without links, relative to the root; empty for the root itself. */
  readonly path: string;
  /** The part of it that is there. */
  readonly existing: string;
  /** As in `st_mode`; undefined when it is not there. */
  readonly mode: number | undefined;
}

export interface ListRequest {
  readonly root: Root;
  readonly path: string;
  /** Reads all files. */
  readonly digests: boolean;
}

/** What is at a path, with everything below it in the order of the names' bytes. */
export interface TreeListing extends ResolvedPath {
  /** The first is what is at the path itself; there are none when nothing is. */
  readonly entries: readonly ListedEntry[];
}

export interface ListedEntry {
  /** Relative to the listed path; empty for that itself. */
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  /** `sha256` of kind, mode, owner, device, link text and content, but not of times; empty without `digests`. */
  readonly digest: string;
}
