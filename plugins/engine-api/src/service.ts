import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { Middleware, Router, Stage } from '@gantry/core/http';

export { decodeRegistryAuth, decodeRegistryConfig, type RegistryCredentials } from './registry-auth.js';

/** The Container Engine API's surface, to which areas add their routes. */
export interface EngineApi {
  /** Adds an area's routes; they are served once the daemon is ready. @returns takes them out again. */
  routes(owner: string, declare: (router: Router) => void): () => void;
  /**
   * Adds a hook around every request. `guards` are the authorization plugins it asks, for those who want to know who
   * sees their requests. @returns takes it out again.
   */
  use(stage: Stage, middleware: Middleware, options?: { readonly guards?: readonly string[] }): () => void;
  /** Names of authorization plugins, in the order they are asked. */
  readonly guards: readonly string[];
  /** Such as `1.24`. */
  readonly apiVersion: string;
  readonly minApiVersion: string;
  /** Places clients reach the engine at, once the daemon is ready. */
  readonly addresses: readonly string[];
}

export const EngineApi: ServicePoint<EngineApi> = servicePoint<EngineApi>('engine-api');
