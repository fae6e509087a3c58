import type { ImageConfiguration } from './image-configuration.js';

/** What is kept of an image, under its id. */
export interface ImageRecord {
  /** `sha256:<hex>` of `configurationJson`. */
  readonly id: string;
  /** The exact bytes, so that the id can be made again. */
  readonly configurationJson: string;
  /** The image it was committed or built on; layers say nothing of that. */
  readonly parent?: string;
  /** When it came to this engine, RFC 3339. */
  readonly addedAt: string;
}

/** What is kept of a layer, under its chain id. */
export interface LayerRecord {
  readonly chainId: string;
  readonly diffId: string;
  readonly parentChainId?: string;
  /** The storage driver's id of it. */
  readonly storageId: string;
  /** Bytes of the regular files. */
  readonly size: number;
  /** Bytes of its tar; not known of layers that came with earlier versions. */
  readonly tarSize?: number;
}

/** What is kept of a reference, under `repo:tag` or `repo@digest`. */
export interface ReferenceRecord {
  readonly imageId: string;
}

/** An image with its document parsed. */
export interface StoredImage {
  readonly record: ImageRecord;
  readonly configuration: ImageConfiguration;
  /** From the bottom up. */
  readonly chainIds: readonly string[];
}
