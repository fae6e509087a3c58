import type { Readable } from 'node:stream';
import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';

/**
 * # Storage: read-only layers, and writable layers on top of them
 *
 * Glossary. A *layer* is an immutable set of changes on top of its *parent* layer. A *writable* is a private, mutable
 * layer on top of a layer; mounted, it is a container's root file system. Ids are chosen by the caller,
 * `[a-z0-9][a-z0-9_-]{0,127}`, opaque to the driver, and layers and writables have separate id spaces.
 *
 * Story 1, pull: `applyLayer('a', tar)`, `applyLayer('b', tar, parent 'a')`. Each appears in `layers()` only when
 * complete; after a crash in between, the next start has removed what was half done.
 * Story 2, run: `createWritable('c1', 'b')`, `mount('c1')`, ..., `unmount('c1')`, `removeWritable('c1')`.
 * Story 3, commit: `diff('c1')` is a tar of what the writable changed, fit for `applyLayer` on the same parent.
 *
 * Nothing here blocks the event loop for longer than a system call: tar reading and writing, decompression and
 * hashing happen elsewhere.
 */
export interface StorageDriver {
  readonly capabilities: StorageCapabilities;

  /** Label and value pairs that `info` shows as DriverStatus, such as `['Backing Filesystem', 'extfs']`. */
  status(): readonly (readonly [string, string])[];

  /**
   * Extracts a layer. The tar follows the image layer format: `.wh.NAME` deletes NAME of the parent, `.wh..wh..opq`
   * hides what the parent has in that directory. Entries never reach outside the layer, whatever their names and
   * links say. Ownership, modes, times (ns), xattrs, hard links, devices and sparse files are kept.
   *
   * Resolves when the layer is complete and survives a crash. Rejects `conflict` when the id exists,
   * `not-found` without the parent, `invalid-argument` for a damaged or hostile archive or a digest mismatch,
   * `unavailable` when the disk is full, AbortError at abort; and then nothing is left. The stream of the source is
   * consumed or destroyed in every case.
   */
  applyLayer(layer: LayerRequest, options?: { readonly signal?: AbortSignal }): Promise<AppliedLayer>;

  /** Removes a layer. Absent: resolves. Rejects `conflict` when it is the parent of a layer or writable. */
  removeLayer(id: string): Promise<void>;

  /** Ids of the complete layers with their parents, for reconciliation after a crash. */
  layers(): Promise<readonly StoredLayer[]>;

  /**
   * The exact uncompressed tar that `applyLayer` read: hashing it gives `diffId` again. The caller owns the stream
   * and destroys it to stop early. Rejects `not-found`.
   */
  layerTar(id: string, options?: { readonly signal?: AbortSignal }): Promise<Readable>;

  /**
   * Makes an empty writable on a layer, on nothing without `parent` (an empty root, as FROM scratch).
   * Rejects `conflict` when the id exists, `not-found` without the parent, `not-implemented` with `size` when
   * `capabilities.quota` is false.
   */
  createWritable(writable: WritableRequest): Promise<void>;

  /**
   * Removes a writable, unmounting it first: when it resolves the layers below it can be removed, and nothing will find it
   * again. Its content may be deleted after that, by the next start at the latest. Absent: resolves.
   */
  removeWritable(id: string): Promise<void>;

  /** Ids of the writables, for reconciliation. */
  writables(): Promise<readonly StoredLayer[]>;

  /**
   * Mounts a writable and returns the host path of its root. Mounting a mounted one returns the same path; one
   * `unmount` undoes it. Mounts survive the death of the daemon, and are found again by the next.
   *
   * With `label`, on hosts with SELinux, all files in it show that context. It is the same for every mount of a writable
   * that is used by a container; without one the files show what the host's policy gives them.
   */
  mount(id: string, options?: { readonly label?: string }): Promise<string>;

  /** Unmounts. Not mounted or absent: resolves. A busy mount is detached. */
  unmount(id: string): Promise<void>;

  /** What the writable changed against its parent, sorted by path (bytes). Spec: GET /containers/(id)/changes. */
  changes(id: string, options?: { readonly signal?: AbortSignal }): Promise<readonly PathChange[]>;

  /** The changes as an uncompressed layer tar (see `applyLayer`). The caller owns the stream. */
  diff(id: string, options?: { readonly signal?: AbortSignal }): Promise<Readable>;

  /** Bytes on disk of a layer's or a writable's own content. */
  layerSize(id: string): Promise<number>;
  writableSize(id: string, options?: { readonly signal?: AbortSignal }): Promise<number>;

  /** What GraphDriver.Data shows of a layer or writable, such as `{ LowerDir, UpperDir, MergedDir, WorkDir }`. */
  describe(id: string, kind: 'layer' | 'writable'): Promise<Readonly<Record<string, string>>>;
}

export interface StorageCapabilities {
  /** `createWritable` takes `size`. */
  readonly quota: boolean;
  /** Files of layers are shared, not copied, between writables. */
  readonly copyOnWrite: boolean;
}

export interface LayerRequest {
  readonly id: string;
  readonly parent?: string;
  readonly source: LayerSource;
  /** `sha256:<hex>` that the uncompressed tar must have. */
  readonly expectedDiffId?: string;
  /** Called from time to time, or never, with the bytes of the source, compressed or not, that were read so far. */
  readonly onRead?: (total: number) => void;
}

export type LayerCompression = 'none' | 'gzip' | 'bzip2' | 'xz' | 'zstd';

/**
 * Where the layer's tar comes from: a stream, or a part of a file. Compression is detected when not given. A stream is
 * `transferable` when nothing else refers to the memory of its chunks: the driver may then take it over.
 */
export type LayerSource = { readonly compression?: LayerCompression } & (
  | { readonly stream: Readable; readonly transferable?: boolean }
  | { readonly file: string; readonly offset?: number; readonly length?: number }
);

export interface AppliedLayer {
  /** `sha256:<hex>` of the uncompressed tar. */
  readonly diffId: string;
  /** Sum of the sizes of all but directories, links by their text, files with several names once: what `du` counts. */
  readonly size: number;
  /** Bytes of the uncompressed tar, as `layerTar` gives it. */
  readonly tarSize: number;
}

export interface StoredLayer {
  readonly id: string;
  readonly parent: string | undefined;
}

export interface WritableRequest {
  readonly id: string;
  readonly parent?: string;
  /** Bytes; needs `capabilities.quota`. */
  readonly size?: number;
}

export interface PathChange {
  /** Absolute inside the root, such as `/etc/passwd`. */
  readonly path: string;
  readonly kind: 'modified' | 'added' | 'deleted';
}

export const StorageDrivers: DriverPoint<StorageDriver> = driverPoint<StorageDriver>('storage', '1.0', [
  'status',
  'applyLayer',
  'removeLayer',
  'layers',
  'layerTar',
  'createWritable',
  'removeWritable',
  'writables',
  'mount',
  'unmount',
  'changes',
  'diff',
  'layerSize',
  'writableSize',
  'describe',
]);
