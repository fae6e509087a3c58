// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.
import type { Archive } from './shared.js';

export type BuildCachePruned = {
  readonly CachesDeleted: readonly string[] | null;
  readonly SpaceReclaimed: number;
};

export interface BuildRoutes {
  /** Builds an image from an archive with a build file, or from a session of BuildKit. */
  'POST /build': {
    readonly options: { readonly query?: { readonly t?: readonly string[] | undefined; readonly buildfile?: string | undefined; readonly remote?: string | undefined; readonly target?: string | undefined; readonly buildargs?: Readonly<Record<string, string | null>> | undefined; readonly labels?: Readonly<Record<string, string>> | undefined; readonly cachefrom?: readonly string[] | undefined; readonly ulimits?: readonly {
  readonly Name: string;
  readonly Soft: number;
  readonly Hard: number;
}[] | undefined; readonly extrahosts?: readonly string[] | undefined; readonly q?: boolean | undefined; readonly nocache?: boolean | undefined; readonly pull?: boolean | undefined; readonly rm?: boolean | undefined; readonly forcerm?: boolean | undefined; readonly memory?: number | undefined; readonly memswap?: number | undefined; readonly cpushares?: number | undefined; readonly cpuperiod?: number | undefined; readonly cpuquota?: number | undefined; readonly cpusetcpus?: string | undefined; readonly cpusetmems?: string | undefined; readonly shmsize?: number | undefined; readonly cgroupparent?: string | undefined; readonly networkmode?: string | undefined; readonly platform?: string | undefined; readonly isolation?: string | undefined; readonly squash?: boolean | undefined; readonly securityopt?: readonly string[] | undefined; readonly version?: string | undefined; readonly session?: string | undefined; readonly buildid?: string | undefined; readonly outputs?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Config'?: string | undefined; }; readonly body?: Archive | undefined; };
    readonly items: Readonly<Record<string, unknown>>;
  };
  /** Deletes the cache of builds. */
  'POST /build/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; readonly 'keep-storage'?: number | undefined; readonly 'reserved-space'?: number | undefined; readonly 'max-used-space'?: number | undefined; readonly 'min-free-space'?: number | undefined; }; };
    readonly answer: BuildCachePruned;
  };
}
