import type { ImageConfiguration } from '../configuration/image-configuration.js';

/** The stored record of an image; its key is the id. */
export interface ImageRecord {
  /** `sha256:<hex>` of `configurationJson`. */
  readonly id: string;
  /** The exact bytes of the configuration document, whose digest is the id. */
  readonly configurationJson: string;
  /** Id of the image it was committed from or built on. */
  readonly parent?: string;
  /**
   * The parent is what the archive or the client said it came from: a fact for people, which the cache of builds does not
   * believe.
   */
  readonly hasForeignParent?: true;
  /** When this engine stored it, RFC 3339. */
  readonly addedAt: string;
}

/** The stored record of a layer; its key is the chain ID. */
export interface LayerRecord {
  readonly chainId: string;
  readonly diffId: string;
  readonly parentChainId?: string;
  /** Id of the layer in the storage driver. */
  readonly storageId: string;
  /** Bytes of the regular files. */
  readonly size: number;
  /** Bytes of its tar; absent in records of earlier versions. */
  readonly tarSize?: number;
}

/** The stored record of a reference; its key is `repo:tag` or `repo@digest`. */
export interface ReferenceRecord {
  readonly imageId: string;
}

/** An image with its configuration parsed. */
export interface StoredImage {
  readonly record: ImageRecord;
  readonly configuration: ImageConfiguration;
  /** From the bottom up. */
  readonly chainIds: readonly string[];
}
