import type { CreateBody } from '@gantry/containers/service';
import type { RegistryCredentials } from '@gantry/engine-api/service';

export type StepLimits = NonNullable<CreateBody['HostConfig']>;

/** Spec: POST /build, without the body. */
export interface BuildRequest {
  /** `name` or `name:tag`, checked. */
  readonly tags: readonly string[];
  readonly quiet: boolean;
  /** The client says which builder it means: one that wants the image's id in an object of its own. */
  readonly namesBuilder: boolean;
  readonly noCache: boolean;
  readonly pull: boolean;
  /** Remove the containers of steps that went well. */
  readonly remove: boolean;
  /** Remove all containers of steps. */
  readonly forceRemove: boolean;
  readonly buildArguments: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Names of images whose history counts for the cache. */
  readonly cacheFrom: readonly string[];
  /** Stage to end with; empty for the last. */
  readonly target: string;
  readonly limits: StepLimits;
  /** By the registry's host. Never stored, never logged. */
  readonly credentials: ReadonlyMap<string, RegistryCredentials>;
}
