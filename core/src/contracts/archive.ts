import type { Readable } from 'node:stream';
import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';
import type { LayerSource, PathChange } from './storage.js';

/**
 * # Archive: reading and writing tar, and working on whole directory trees, off the daemon's event loop
 *
 * Glossary. A *root* is a directory of the host that no operation leaves: paths, archive entries and links are resolved
 * inside it, even if a process swaps links meanwhile. Paths inside a root are relative to it; a leading slash makes no
 * difference. A *layer archive* marks deletions by `.wh.` names, see `StorageDriver.applyLayer`.
 *
 * Archives and `FileOwner` have the user and group ids of containers, the disk has those of the host (`IdMappings`). An id
 * of an archive that has no place in the mapping is `invalid-argument`; one of the disk that is outside of it is packed
 * as it is.
 *
 * All operations share one bounded pool of workers. An operation waits for a worker when all are busy; one that waits
 * for its client while others wait for a worker is ended with `unavailable` after a while.
 *
 * Everything rejects AbortError at abort, after the worker has closed its files, and EngineError otherwise: `not-found`,
 * `invalid-argument` for a damaged or hostile archive, `forbidden` on a read-only file system, `unavailable` when the
 * disk is full. Returned streams begin to work at the first read, fail with the same errors, and belong to the caller,
 * who destroys them to stop early.
 */
export interface ArchiveDriver {
  /**
   * Extracts a layer archive into a directory, which exists and is empty (or holds the parent's tree, with whiteouts
   * applied). On rejection what was extracted so far is left, the caller's to remove. A stream is consumed or destroyed
   * in every case. Only the journal is flushed to the disk. Owners, modes, times (ns), extended attributes, hard links,
   * devices, pipes and sparse files are kept.
   */
  extractLayer(source: LayerSource, directory: string, options: ExtractLayerOptions): Promise<ExtractedLayer>;

  /** The exact archive that `extractLayer` read, from the directory it made, which must be unchanged, and the journal. */
  layerTar(directory: string, journal: LayerJournal, options?: ArchiveOptions): Readable;

  /**
   * Extracts an archive into a directory inside a root. Rejects `not-found` without that directory, `invalid-argument`
   * when it is not one, `forbidden` when it is read-only. An entry for the directory itself changes nothing. Names in
   * the archive keep their meaning: `.wh.` names are files.
   */
  extract(source: LayerSource, root: ArchiveRoot, path: string, options?: ExtractOptions): Promise<ExtractedArchive>;

  /**
   * The data without its compression, which is detected. Destroying the result destroys the source. The result fails
   * with `invalid-argument` for damaged data, and for data that expands beyond `maxBytes` or like a bomb.
   */
  expand(source: Readable, options?: ArchiveOptions & { readonly maxBytes?: number }): Promise<Readable>;

  /**
   * An archive of what is at a path inside a root, a directory with its content, under `name` instead of the path's last
   * component; an empty `name` packs the content alone, and `/` makes all names absolute. Links on the way are followed
   * inside the root; one at the end only when a slash follows it, and then it must lead to a directory.
   */
  packTree(root: ArchiveRoot, path: string, options?: PackTreeOptions): Readable;

  /** One archive of several paths inside a root; links as in `packTree`. */
  packSelection(root: ArchiveRoot, items: readonly SelectedPath[], options?: ArchiveOptions): Readable;

  /** What a tree changes, as an uncompressed layer archive, entries in the order of their names' bytes. */
  packChanges(tree: ChangedTree, options?: ArchiveOptions): Readable;

  /** What a tree changes, in the order of the paths' bytes. */
  listChanges(tree: ChangedTree, options?: ArchiveOptions): Promise<readonly PathChange[]>;

  /** What is at a path inside a root; links as in `packTree`. Rejects `not-found`, `invalid-argument`. */
  statInRoot(root: ArchiveRoot, path: string, options?: ArchiveOptions): Promise<PathStat>;

  /** Where a path leads inside a root, all links followed, also when nothing is there. */
  resolveInRoot(root: ArchiveRoot, path: string, options?: ArchiveOptions): Promise<ResolvedPath>;

  /** What is at a path inside a root with everything below it; links as in `resolveInRoot`, those below not followed. */
  listTree(
    root: ArchiveRoot,
    path: string,
    options?: ArchiveOptions & { readonly digests?: boolean },
  ): Promise<TreeListing>;

  /**
   * Bytes of all files in a directory, by their sizes, those with several names once. With `base`, the tree it was copied
   * from, only of files that differ from it.
   */
  treeSize(directory: string, options?: ArchiveOptions & { readonly base?: string }): Promise<number>;

  /** Removes a directory with everything in it, however deep. Absent: resolves. */
  removeTree(directory: string, options?: ArchiveOptions): Promise<void>;

  /** Copies the content of a directory, with all metadata, to another one that exists and is empty. */
  copyTree(from: string, to: string, options?: ArchiveOptions): Promise<void>;
}

export interface ArchiveOptions {
  readonly signal?: AbortSignal;
}

export interface PackTreeOptions extends ArchiveOptions {
  readonly name?: string;
  /** The tree as the disk has it, for backups: owners are the host's, and overlayfs's own attributes are packed, too. */
  readonly exact?: boolean;
}

/** A directory that no operation leaves; or one with mounts of the host shown in it, as a container sees them. */
export type ArchiveRoot = string | MountedTree;

export interface MountedTree {
  readonly directory: string;
  readonly mounts: readonly TreeMount[];
  /** Nothing outside of the mounts can be changed. */
  readonly readOnly: boolean;
}

export interface TreeMount {
  /** A directory of the host, with what is mounted in it, or a file; or a tmpfs that only a container's processes see. */
  readonly source: string | ProcessMount;
  /** Inside the tree, whose links do not lead out of it. Made when it is absent, parents too. */
  readonly target: string;
  readonly readOnly: boolean;
}

/** A tmpfs in a process's mount namespace. Not shown when the process has exited or has another root. */
export interface ProcessMount {
  readonly pid: number;
  /** As the process sees it. */
  readonly path: string;
}

/** What `.wh.` names become: `overlay` marks for overlayfs, `apply` deletes what the parent has, `none` plain files. */
export type WhiteoutForm = 'overlay' | 'apply' | 'none';

/** Where the facts are kept that allow to write an archive again byte by byte. */
export interface LayerJournal {
  /** Made; must not exist. */
  readonly file: string;
  /** A directory for file content that the tree does not hold any more; made if need be. */
  readonly payloads: string;
}

export interface ExtractLayerOptions extends ArchiveOptions {
  readonly whiteouts: WhiteoutForm;
  /** Directories below the extracted one, topmost first: missing directories become like theirs. */
  readonly lower?: readonly string[];
  readonly journal?: LayerJournal;
  /** Owners are the host's and are not mapped, for programs that run outside of user namespaces. */
  readonly hostOwners?: boolean;
  /** `sha256:<hex>` that the uncompressed archive must have. */
  readonly expectedDiffId?: string;
  /** Limit of the uncompressed archive. */
  readonly maxBytes?: number;
  /** Called now and then with the bytes of the source, compressed or not, read so far. */
  readonly onRead?: (total: number) => void;
}

export interface ExtractOptions extends ArchiveOptions {
  /** Owner of everything that is made, whatever the archive says. */
  readonly owner?: FileOwner;
  /** Rejects `invalid-argument` instead of replacing a directory by something else, or the reverse. */
  readonly keepDirectories?: boolean;
  /** The archive is one that `packTree` packed with `exact`: its owners are the host's, and overlayfs's attributes are set. */
  readonly exact?: boolean;
  /** Limit of the uncompressed archive. */
  readonly maxBytes?: number;
}

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

export interface ExtractedArchive {
  /** Sum of the sizes of all but directories, links by their text, files with several names once. */
  readonly size: number;
  /** Bytes of the uncompressed archive. */
  readonly tarSize: number;
  readonly entries: number;
}

export interface ExtractedLayer extends ExtractedArchive {
  /** `sha256:<hex>` of the uncompressed archive. */
  readonly diffId: string;
}

/**
 * An overlay's upper directory and the directories below it, topmost first; or a copied tree and the one it was copied
 * from, undefined when it began empty.
 */
export type ChangedTree =
  | { readonly upper: string; readonly lower: readonly string[] }
  | { readonly tree: string; readonly base: string | undefined };

export interface SelectedPath {
  /** Inside the root; links on the way are followed, one at the end only when a slash follows it. */
  readonly path: string;
  /** In the archive; the content of a directory goes below it. */
  readonly name: string;
  /** Of a directory only the content, not the directory itself. */
  readonly contentOnly: boolean;
}

export interface PathStat {
  /** The last component of the path. */
  readonly name: string;
  readonly size: number;
  /** As in `st_mode`: type and permissions. */
  readonly mode: number;
  readonly modified: { readonly seconds: number; readonly nanoseconds: number };
  /** Of a symbolic link: where it leads inside the root, all links on the way followed. Else empty. */
  readonly linkTarget: string;
}

/** Where a path leads, all links followed inside the root. */
export interface ResolvedPath {
  /** Without links, relative to the root; empty for the root itself. */
  readonly path: string;
  /** The part of it that exists. */
  readonly existing: string;
  /** As in `st_mode`; undefined when nothing is there. */
  readonly mode: number | undefined;
}

/** What is at a path, with everything below it in the order of the names' bytes. */
export interface TreeListing extends ResolvedPath {
  /** The first is what is at the path itself; empty when nothing is. */
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

export const ArchiveDrivers: DriverPoint<ArchiveDriver> = driverPoint<ArchiveDriver>('archive', '1.0', [
  'extractLayer',
  'layerTar',
  'extract',
  'expand',
  'packTree',
  'packSelection',
  'packChanges',
  'listChanges',
  'statInRoot',
  'resolveInRoot',
  'listTree',
  'treeSize',
  'removeTree',
  'copyTree',
]);
