import type { Readable } from 'node:stream';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { ImageConfig } from './configuration/image-config.js';
import type { ImportRequest } from './import/import-image.js';
import type { ImageUsers } from './registered-users.js';

export { ArchivePolicy, type ArchiveTransport } from './archive-policy.js';
export { applyChanges, parseDuration } from './configuration/apply-changes.js';
export type { ImageConfig, ImageHealthcheck } from './configuration/image-config.js';
export { formatPlatform, isForPlatform, type Platform, parsePlatform } from './configuration/platform.js';
export { platformParameter } from './configuration/platform-parameter.js';
export {
  type AddImageRequest,
  type ContentLayer,
  type CreateImageRequest,
  type ImageContent,
  ImageExchange,
  type ImageSource,
  type ImageSourceSettings,
  type MadeImage,
  type PullRequest,
} from './exchange/image-exchange.js';
export type { ImportRequest } from './import/import-image.js';
export { layerLimit } from './layers/layer-staging.js';
export {
  formatReference,
  fullName,
  type ImageReference,
  normalizeReference,
  parseReference,
} from './reference/image-reference.js';
export { shortId } from './reference/short-id.js';
export type { ImageUser, ImageUsers } from './registered-users.js';

/** Images, for other areas. A reference is `name`, `name:tag`, `name@digest`, an id or a prefix of one. */
export interface ImageService {
  /** @throws EngineError `not-found` ("No such image: X", with `:latest` where the reference has neither tag nor digest). */
  get(reference: string): Image;
  /** An image by its full id; undefined once removed, which containers survive when it was forced. */
  byId(id: string): Image | undefined;
  /** Ids of the image a reference names and of every image made from it; empty when there is none. */
  descendants(reference: string): ReadonlySet<string>;
  /** Number of images, for `info`. */
  readonly count: number;
  /**
   * Keeps an image's layers from being removed until the release is called: container create holds the image until the
   * writable layer exists. Layers whose image is removed meanwhile are removed by the next `collect`.
   */
  hold(id: string): () => void;
  /**
   * Makes an image of one layer from a root file system. Resolves to its id; on rejection nothing is left. The archive
   * is consumed or destroyed. Rejects `invalid-argument` for a bad reference, change or archive.
   */
  import(request: ImportRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /**
   * Removes layers whose image is gone and that no container uses. Cheap when there are none; called after the removal
   * of a container whose image is gone.
   */
  collect(): Promise<void>;
  /** Spec: image summaries, with the bytes that each shares with others and the number of its containers. */
  diskUsage(): ImageDiskUsage;
  /** Registers users of images, which removal consults. @returns unregisters them. */
  addUsers(users: ImageUsers): () => void;
}

/** Spec: image summary, with the bytes it shares with other images and the number of its containers. */
export interface ImageUsage {
  readonly Id: string;
  readonly ParentId: string;
  readonly RepoTags: readonly string[] | null;
  readonly RepoDigests: readonly string[];
  /** Unix time in seconds. */
  readonly Created: number;
  readonly Size: number;
  readonly SharedSize: number;
  readonly Containers: number;
  readonly Labels: Readonly<Record<string, string>> | null;
}

export interface ImageDiskUsage {
  /** Bytes of all layers. */
  readonly layersSize: number;
  readonly images: readonly ImageUsage[];
}

/** Images as archives, for areas that give them out. */
export interface ImageArchives {
  /**
   * One archive of images, in the forms of `docker save`, each with the given `repo:tag` names. The caller owns the
   * stream; the layers stay until it is closed. @throws EngineError `not-found`.
   */
  saveAs(
    images: readonly { readonly id: string; readonly tags: readonly string[] }[],
    options?: { readonly signal?: AbortSignal },
  ): Readable;
}

export const ImageArchives: ServicePoint<ImageArchives> = servicePoint<ImageArchives>('image-archives');

/** Images that nothing needs, for areas that keep images as a cache. All by their full ids. */
export interface UnneededImages {
  exists(id: string): boolean;
  /** Whether it is there, and neither it nor an image made on top of it has a name or a container. */
  has(id: string): boolean;
  /** Bytes of the layers that it adds to the image it was made on top of. */
  addedSize(id: string): number;
  /** Removes one that `has` holds for, unless an image was made on top of it. Resolves to whether it is removed. */
  remove(id: string): Promise<boolean>;
}

export const UnneededImages: ServicePoint<UnneededImages> = servicePoint<UnneededImages>('unneeded-images');

export interface Image {
  /** `sha256:<hex>`. */
  readonly id: string;
  readonly tags: readonly string[];
  readonly digests: readonly string[];
  readonly config: ImageConfig;
  readonly architecture: string;
  readonly os: string;
  /** Bytes of all layers. */
  readonly size: number;
  /** Storage id of the top layer; undefined for an image without layers. */
  readonly topLayer: string | undefined;
}

export const ImageService: ServicePoint<ImageService> = servicePoint<ImageService>('images');
