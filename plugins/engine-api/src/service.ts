import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { Middleware, Route, Router, Stage, VersionRange } from '@gantry/core/http';

export { newestVersion } from './api-versions.js';
export { decodeRegistryAuth, decodeRegistryConfig, type RegistryCredentials } from './registry-auth.js';
export { worksWithoutDisk } from './route-marks.js';

/** The Container Engine API's surface, to which areas add their routes. */
export interface EngineApi {
  /** Mounts an area's routes; they are served once the daemon is ready. @returns unmounts them. */
  routes(owner: string, declare: (router: Router) => void): () => void;
  /**
   * Adds a hook around every request. `guards` are the authorization plugins it asks, so that `info` can list them.
   * @returns removes it.
   */
  use(stage: Stage, middleware: Middleware, options?: { readonly guards?: readonly string[] }): () => void;
  /** All mounted routes, in the order in which requests are compared with them. */
  readonly mounted: readonly Route[];
  /** Names of authorization plugins, in the order they are asked. */
  readonly guards: readonly string[];
  /**
   * Accepts clients of older versions, whose requests and answers the caller adapts in the stage `adapt`. Until then only
   * the newest version is spoken. @returns undoes it.
   */
  extendVersions(range: VersionRange): () => void;
  /** The newest version that clients may speak, such as `1.51`. */
  readonly apiVersion: string;
  readonly minApiVersion: string;
  /** The addresses the engine listens at, once the daemon is ready. */
  readonly addresses: readonly string[];
}

export const EngineApi: ServicePoint<EngineApi> = servicePoint<EngineApi>('engine-api');
