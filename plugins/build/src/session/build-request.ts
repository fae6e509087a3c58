import type { CreateBody } from '@gantry/containers/service';
import type { RegistryCredentials } from '@gantry/engine-api/service';

export type StepLimits = NonNullable<CreateBody['HostConfig']>;

/** Spec: POST /build, without the body. */
export interface BuildRequest {
  /** `name` or `name:tag`, checked. */
  readonly tags: readonly string[];
  readonly quiet: boolean;
  /** The client names a builder version, and expects the image's id as an object. */
  readonly namesBuilder: boolean;
  readonly noCache: boolean;
  readonly pull: boolean;
  /** Remove the containers of successful steps. */
  readonly remove: boolean;
  /** Remove all containers of steps. */
  readonly forceRemove: boolean;
  readonly buildArguments: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Names of images whose history the cache may use. */
  readonly cacheFrom: readonly string[];
  /** The last stage to build; empty for all. */
  readonly target: string;
  readonly limits: StepLimits;
  /** By the registry's host. Neither stored nor logged. */
  readonly credentials: ReadonlyMap<string, RegistryCredentials>;
}
