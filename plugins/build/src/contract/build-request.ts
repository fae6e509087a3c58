import type { CreateBody } from '@gantry/containers/service';
import type { RegistryCredentials } from '@gantry/engine-api/service';

export type StepLimits = NonNullable<CreateBody['HostConfig']>;

/** Finds the credentials that may be used for an image, by the registry's host. Neither stored nor logged. */
export type FindCredentials = (reference: string) => Promise<ReadonlyMap<string, RegistryCredentials>>;

/** The content of a secret of the client; undefined when it has none with this id. Neither stored nor logged. */
type ReadSecret = (id: string, options: { readonly signal: AbortSignal }) => Promise<Buffer | undefined>;

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
  /** The last stage to build; empty for the last of the file. */
  readonly target: string;
  /** Run only the stages that the target needs, in parallel where they do not need each other. */
  readonly skipsUnusedStages: boolean;
  readonly limits: StepLimits;
  readonly credentials: FindCredentials;
  readonly readSecret: ReadSecret;
}

/** Spec: POST /build, without the body. */
export interface ClassicBuildRequest extends BuildRequest {
  /** `name` or `name:tag`, checked. */
  readonly tags: readonly string[];
  readonly quiet: boolean;
  /** The client names a builder version, and expects the image's id as an object. */
  readonly namesBuilder: boolean;
}
