import type { Duplex } from 'node:stream';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { Middleware, Operations, Route, Router, Stage, VersionRange } from '@gantry/core/http';

export { newestVersion } from './api-versions.js';
export { localHostOf } from './local-host-of.js';
export { decodeRegistryAuth, decodeRegistryConfig, type RegistryCredentials } from './registry-auth.js';
export { worksWithoutDisk } from './route-marks.js';

/** What may be asked at a socket; see the setting `listeners`. */
export interface AccessRules {
  /** The setting the rules are from, for errors. */
  readonly option: string;
  readonly allow: readonly string[];
}

/** The Container Engine API's surface, to which areas add their routes. */
export interface EngineApi {
  /**
   * Mounts an area's routes; they are served once the daemon is ready.
   * @param operations what they do, for the document of the API.
   * @returns unmounts them.
   */
  routes(owner: string, declare: (router: Router) => void, operations?: Operations): () => void;
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
  /**
   * Serves the API also at a Unix socket that only this daemon connects to, for requests that reach it in other ways.
   * @param access what may be asked there, everything without it.
   * @throws EngineError `invalid-argument` naming a rule of `access` that cannot be read.
   * @returns closes it.
   */
  serveAt(path: string, access?: AccessRules): Promise<() => Promise<void>>;
  /** The addresses the engine listens at, once the daemon is ready. */
  readonly addresses: readonly string[];
  /** What operators should know about these addresses, for `info`. */
  readonly warnings: readonly string[];
}

export const EngineApi: ServicePoint<EngineApi> = servicePoint<EngineApi>('engine-api');

/** Connections to the API from within the process, for programs that run a kernel of their own. */
export interface LocalConnections {
  /**
   * Opens one, on which HTTP is spoken as on a socket.
   * @throws EngineError `unavailable` before the daemon is ready, and when it stops.
   */
  connect(): Duplex;
}

export const LocalConnections: ServicePoint<LocalConnections> = servicePoint<LocalConnections>('local-connections');
