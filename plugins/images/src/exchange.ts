import type { Readable } from 'node:stream';
import type { LayerSource } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { ImageConfig } from './service.js';

/** What areas may do that make images, or carry them between engines. */
export interface ImageExchange {
  /**
   * Adds an image whose configuration document exists already, as one pulled from a registry does. Layers that are here
   * are not opened; two additions that need one layer at the same moment share one extraction. Resolves to the image id
   * when image and references are durable; on rejection nothing is left. Rejects `invalid-argument` for a bad document,
   * a layer that is not what the document says, or a number of layers that differs from it.
   */
  add(request: AddImageRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /**
   * Makes an image on top of another, as a commit and a build step do. Resolves to the image id when it is durable; on
   * rejection nothing is left. Rejects `not-found` without the parent, `invalid-argument` for a bad reference or layer.
   */
  create(request: CreateImageRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /**
   * How many of these layers, counted from the bottom up, are here already, so that whoever carries layers need not
   * fetch them. They may go again at any time: `add` has the last word.
   */
  presentLayers(diffIds: readonly string[]): number;
  /** Document and layers of an image, by any reference. Rejects `not-found`. */
  content(reference: string): ImageContent;
  /** The exact uncompressed tar of a layer of `content`. The caller owns the stream. Rejects `not-found`. */
  openLayer(storageId: string, options?: { readonly signal?: AbortSignal }): Promise<Readable>;
  /** Images that were made on top of this one with `create`, or scratch images for `undefined`. */
  childrenOf(id: string | undefined): readonly MadeImage[];
  /** Tags under which a repository is known here, sorted; empty for none. */
  tagsOf(repository: string): readonly string[];
  /** Gives an image `repo:tag` and `repo@digest` names, which move if another had them; an event for each tag. */
  name(id: string, references: readonly string[]): Promise<void>;
  /**
   * Fetches an image by `name:tag` or `name@digest` from whoever brings images in. Resolves to its id. Rejects
   * `not-implemented` when nobody does.
   */
  pull(request: PullRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** Who brings images in for `pull` and POST /images/create with fromImage. One at a time. @returns takes it out. */
  setSource(source: ImageSource): () => void;
}

export interface AddImageRequest {
  /** The exact document; its sha256 is the image id. */
  readonly configuration: string;
  /** One for each of the document's `rootfs.diff_ids`, in their order. Called only for layers that are not here. */
  readonly openLayer: (index: number, diffId: string) => LayerSource | Promise<LayerSource>;
  /** Told when a layer is here, whether it was opened or not. */
  readonly onLayer?: (index: number, opened: boolean) => void;
  /** `repo:tag` and `repo@digest` names the image gets in the same transaction. */
  readonly references: readonly string[];
  /** Id of the image it was made on top of, as far as that is here; an image that is here already keeps its own. */
  readonly parent?: string;
}

export interface CreateImageRequest {
  /** Id of the image it stands on; undefined for none. */
  readonly parent?: string;
  /** What it adds, as an uncompressed layer tar. Consumed or destroyed. Undefined: the configuration alone changes. */
  readonly layer?: Readable;
  readonly config: ImageConfig;
  readonly author?: string;
  readonly comment?: string;
  /** What made it, as its history tells. */
  readonly createdBy: string;
  /** Id and configuration of the container it was made from. */
  readonly container?: string;
  readonly containerConfig?: object;
  /** `name` or `name:tag`. */
  readonly reference?: string;
}

export interface ImageContent {
  readonly id: string;
  /** The exact document. */
  readonly configuration: string;
  readonly parent: string | undefined;
  /** Names it has, sorted. */
  readonly references: readonly string[];
  /** From the bottom up. */
  readonly layers: readonly ContentLayer[];
}

export interface ContentLayer {
  readonly diffId: string;
  /** Digest of the stack this layer ends. */
  readonly chainId: string;
  /** Sum of the sizes of the regular files. */
  readonly size: number;
  readonly storageId: string;
}

export interface MadeImage {
  readonly id: string;
  readonly config: ImageConfig;
  readonly containerConfig: object | undefined;
  /** RFC 3339. */
  readonly created: string;
}

/** A registry client, as this area sees it. */
export interface ImageSource {
  /** Resolves to the id of the image, the last one with `allTags`. */
  pull(request: PullRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
}

export interface PullRequest {
  /** `name`, `name:tag` or `name@digest`; without both `latest`. */
  readonly reference: string;
  /** Every tag of the repository. */
  readonly allTags?: boolean;
  /** Never stored, never logged. */
  readonly credentials?: RegistryCredentials;
  /** Progress objects as POST /images/create streams them. */
  readonly progress?: (item: object) => void;
}

export const ImageExchange: ServicePoint<ImageExchange> = servicePoint<ImageExchange>('image-exchange');
