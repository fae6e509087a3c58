import type { Readable } from 'node:stream';
import type { LayerSource } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { ImageConfig } from '../configuration/image-config.js';
import type { Platform } from '../configuration/platform.js';

/** Makes images, and transfers them between engines: for the commit, build and registry areas. */
export interface ImageExchange {
  /**
   * Adds an image whose configuration document exists already, such as one pulled from a registry. Stored layers are
   * not opened; concurrent additions that need one layer extract it once. Resolves to the image id when image and
   * references are durable; on rejection nothing is left. Rejects `invalid-argument` for a bad document, a layer with
   * another digest than the document names, or another number of layers.
   */
  add(request: AddImageRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /**
   * Makes an image on top of another, as commit and build steps do. Resolves to the image id when it is durable; on
   * rejection nothing is left. Rejects `not-found` without the parent, `invalid-argument` for a bad reference or layer.
   */
  create(request: CreateImageRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /**
   * How many of these layers, counted from the bottom up, are stored, so that a pull need not fetch them. They may be
   * removed at any time; `add` opens what is missing then.
   */
  presentLayers(diffIds: readonly string[]): number;
  /** Document and layers of an image, by any reference. @throws EngineError `not-found`, also for another platform. */
  content(reference: string, platform?: Platform): ImageContent;
  /** The exact uncompressed tar of a layer of `content`. The caller owns the stream. Rejects `not-found`. */
  openLayer(storageId: string, options?: { readonly signal?: AbortSignal }): Promise<Readable>;
  /** Images made here on top of this one, none of them loaded from an archive; for undefined, images without a parent. */
  childrenOf(id: string | undefined): readonly MadeImage[];
  /** Tags of a repository, sorted. */
  tagsOf(repository: string): readonly string[];
  /** Adds `repo:tag` and `repo@digest` names to an image, moving them from another; publishes an event for each tag. */
  name(id: string, references: readonly string[]): Promise<void>;
  /**
   * Fetches an image by `name:tag` or `name@digest` from the registered source. Resolves to its id. Rejects
   * `not-implemented` without a source.
   */
  pull(request: PullRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** Registers the source for `pull` and POST /images/create with fromImage. @throws EngineError `conflict` for a second one. @returns unregisters it. */
  setSource(source: ImageSource): () => void;
  /** How the registered source is configured, for `info`; undefined without a source. */
  sourceSettings(): ImageSourceSettings | undefined;
}

export interface AddImageRequest {
  /** The exact document; its sha256 is the image id. */
  readonly configuration: string;
  /** Opens a layer by its index in the document's `rootfs.diff_ids`. Called only for layers that are not stored. */
  readonly openLayer: (index: number, diffId: string) => LayerSource | Promise<LayerSource>;
  /** Called when a layer is stored; `opened` says whether it had to be extracted. */
  readonly onLayer?: (index: number, opened: boolean) => void;
  /** `repo:tag` and `repo@digest` names, written in the same transaction. */
  readonly references: readonly string[];
  /** Id of the image it was made on top of, ignored when absent; an image that is stored already keeps its own. */
  readonly parent?: string;
}

export interface CreateImageRequest {
  /** Id of the parent image; undefined for none. */
  readonly parent?: string;
  /** The new layer as an uncompressed tar. Consumed or destroyed. Undefined: only the configuration changes. */
  readonly layer?: Readable;
  readonly config: ImageConfig;
  readonly author?: string;
  readonly comment?: string;
  /** The command, for the image's history. Undefined, for an image without a layer of its own: the history is the parent's. */
  readonly createdBy?: string;
  /** Identifies the step of a build that made it, where `createdBy` does not. */
  readonly step?: string;
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
  /** Names of the image, sorted. */
  readonly references: readonly string[];
  /** From the bottom up. */
  readonly layers: readonly ContentLayer[];
}

export interface ContentLayer {
  readonly diffId: string;
  /** Digest of the stack of layers up to this one. */
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

/** A registry client. */
export interface ImageSource {
  /** Resolves to the id of the image, the last one with `allTags`. */
  pull(request: PullRequest, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** As configured now; a reload may change it. */
  settings?(): ImageSourceSettings;
}

export interface ImageSourceSettings {
  /** `host[:port]` of names without a registry. */
  readonly defaultRegistry?: string | undefined;
  /** URLs by registry. */
  readonly mirrors: Readonly<Record<string, readonly string[]>>;
  /** Hosts, addresses and networks whose certificate need not be trusted, as configured; loopback always is one. */
  readonly insecureRegistries: readonly string[];
}

export interface PullRequest {
  /** `name`, `name:tag` or `name@digest`; without both `latest`. */
  readonly reference: string;
  /** Every tag of the repository. */
  readonly allTags?: boolean;
  /** Default: this machine's. */
  readonly platform?: Platform;
  /** Neither stored nor logged. */
  readonly credentials?: RegistryCredentials;
  /**
   * Credentials by registry host, for callers that do not know which registry the reference leads to: the source
   * presents those of that registry, and no others. Neither stored nor logged.
   */
  readonly keychain?: ReadonlyMap<string, RegistryCredentials>;
  /** Progress objects as POST /images/create streams them. */
  readonly progress?: (item: object) => void;
}

export const ImageExchange: ServicePoint<ImageExchange> = servicePoint<ImageExchange>('image-exchange');
