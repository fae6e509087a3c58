import type { Readable } from 'node:stream';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';

export { applyChanges, parseDuration } from './config-changes.js';
export {
  type AddImageRequest,
  type ContentLayer,
  type CreateImageRequest,
  type ImageContent,
  ImageExchange,
  type ImageSource,
  type MadeImage,
  type PullRequest,
} from './exchange.js';
export { formatReference, type ImageReference, parseReference } from './reference.js';

/** What other areas may do with images. References are `name`, `name:tag`, `name@digest`, an id or a prefix of one. */
export interface ImageService {
  /** Rejects `not-found` ("No such image: X", with `:latest` added when neither tag nor digest was given). */
  get(reference: string): Image;
  /** The same for a full id, undefined when it is gone: containers outlive a forced removal of their image. */
  byId(id: string): Image | undefined;
  /** Ids of the image a reference names and of every image made from it; empty when there is none. */
  descendants(reference: string): ReadonlySet<string>;
  /** Number of images, for `info`. */
  readonly count: number;
  /**
   * Makes an image's layers stay until released: create takes one while it makes the writable layer, so that a removal
   * at the same moment does not pull the layer away. What a removal left behind for that is removed by `collect`.
   */
  hold(id: string): () => void;
  /**
   * Makes an image of one layer from a root file system. Resolves to its id; on rejection nothing is left. The archive
   * is consumed or destroyed. Rejects `invalid-argument` for a bad reference, change or archive.
   */
  import(request: ImportRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /**
   * Removes layers whose image is gone and that no container stands on any more. Cheap when there are none: containers
   * ask for it after each removal of one whose image is not there.
   */
  collect(): Promise<void>;
  /** Who uses images, asked by removal. @returns takes the source out again. */
  addUsers(users: ImageUsers): () => void;
}

export interface ImportRequest {
  /** A root file system as a tar, compressed or not. */
  readonly archive: Readable;
  /** `name` or `name:tag`. */
  readonly reference?: string;
  /** Build-instruction lines. */
  readonly changes: readonly string[];
  readonly comment: string;
}

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

/** The `config` object of the image configuration: what containers inherit. */
export interface ImageConfig {
  readonly User?: string;
  readonly ExposedPorts?: Readonly<Record<string, object>>;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Volumes?: Readonly<Record<string, object>>;
  readonly WorkingDir?: string;
  readonly Labels?: Readonly<Record<string, string>>;
  readonly StopSignal?: string;
  readonly Healthcheck?: ImageHealthcheck;
  readonly Shell?: readonly string[];
  readonly OnBuild?: readonly string[];
}

/** Times in nanoseconds. */
export interface ImageHealthcheck {
  readonly Test?: readonly string[];
  readonly Interval?: number;
  readonly Timeout?: number;
  readonly StartPeriod?: number;
  readonly Retries?: number;
}

/** Containers, as image removal sees them. */
export interface ImageUsers {
  usersOf(imageId: string): readonly ImageUser[];
}

export interface ImageUser {
  readonly containerId: string;
  readonly running: boolean;
}

export const ImageService: ServicePoint<ImageService> = servicePoint<ImageService>('images');
