import type { Duplex, Readable } from 'node:stream';
import type { CreateBody } from '@gantry/containers/service';
import type { LayerSource } from '@gantry/core/contracts';
import type { RegistryCredentials } from '@gantry/engine-api/service';

export type StepLimits = NonNullable<CreateBody['HostConfig']>;

/** Finds the credentials that may be used for an image, by the registry's host. Neither stored nor logged. */
export type FindCredentials = (reference: string) => Promise<ReadonlyMap<string, RegistryCredentials>>;

/** The content of a secret of the client; undefined when it has none with this id. Neither stored nor logged. */
type ReadSecret = (id: string, options: { readonly signal: AbortSignal }) => Promise<Buffer | undefined>;

/** Opens a connection to an agent of the client. */
export type ConnectAgent = () => Duplex;

/** Finds an SSH agent of the client by its id; undefined when it has none. */
type FindAgent = (id: string, options: { readonly signal: AbortSignal }) => Promise<ConnectAgent | undefined>;

/** An image whose history the cache may use, wherever it is. */
export interface CacheImport {
  /** Its exact document. */
  readonly configuration: string;
  /** Called only for layers that are not stored, when a step of the image is reused. */
  openLayer(index: number, diffId: string): Promise<LayerSource>;
}

/** What a name of `FROM` or `--from` stands for instead of a stage or image. */
export type NamedContext =
  | { readonly kind: 'image'; readonly reference: string }
  /** An image that an earlier build made, by its id. */
  | { readonly kind: 'result'; readonly imageId: string }
  /** An uncompressed tar, which is opened at most once. */
  | { readonly kind: 'archive'; readonly open: () => Readable }
  /** A Git repository, or the URL of an archive. */
  | { readonly kind: 'remote'; readonly url: string };

/** What a client asks of a build, whatever protocol it speaks. */
export interface BuildRequest {
  /** Of all stages, or of those named. */
  readonly noCache: boolean | ReadonlySet<string>;
  readonly pull: boolean;
  /** Remove the containers of successful steps. */
  readonly remove: boolean;
  /** Remove all containers of steps. */
  readonly forceRemove: boolean;
  readonly buildArguments: Readonly<Record<string, string>>;
  /** ARG names with values that need no client, such as TARGETPLATFORM. */
  readonly automaticArguments: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Names of images whose history the cache may use. */
  readonly cacheFrom: readonly string[];
  readonly cacheImports: readonly CacheImport[];
  readonly namedContexts: ReadonlyMap<string, NamedContext>;
  /** The last stage to build; empty for the last of the file. */
  readonly target: string;
  /**
   * Steps do what BuildKit does where the classic builder does something else: WORKDIR makes directories of the stage's
   * user instead of root, several sources make their target a directory, `..` leads no higher than the context's root,
   * patterns may fit nothing, and of stages with one name the last counts.
   */
  readonly followsBuildKit: boolean;
  readonly limits: StepLimits;
  readonly credentials: FindCredentials;
  readonly readSecret: ReadSecret;
  readonly findAgent: FindAgent;
  /** Steps may use the network of the host. */
  readonly allowsHostNetwork: boolean;
}

/** Spec: POST /build, without the body. */
export interface ClassicBuildRequest extends BuildRequest {
  /** `name` or `name:tag`, checked. */
  readonly tags: readonly string[];
  readonly quiet: boolean;
  /** The client names a builder version, and expects the image's id as an object. */
  readonly namesBuilder: boolean;
}
