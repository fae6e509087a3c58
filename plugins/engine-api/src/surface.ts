import { version } from '@gantry/core';
import { Config, Lifetime, Logger } from '@gantry/core/driver';
import { type Router, Surface } from '@gantry/core/http';
import { ApiVersions } from './api-versions.js';
import type { EngineApiConfig } from './config.js';
import { crossOrigin } from './cross-origin.js';
import { declareDocument, operations } from './document/document-routes.js';

/** What `createSurface` is injected with. */
export const surfaceDependencies = [Config, Logger, Lifetime, ApiVersions] as const;

/** Creates the surface of the Container Engine API, which answers OPTIONS and the questions of browsers itself. */
export function createSurface(
  config: EngineApiConfig,
  log: Logger,
  lifetime: Lifetime,
  versions: ApiVersions,
): Surface {
  const surface = new Surface({
    name: 'engine',
    versions,
    headers: {
      get 'Api-Version'() {
        return versions.max;
      },
      Server: `Gantry/${version} (linux)`,
      Ostype: 'linux',
      'Engine-Experimental': 'false',
    },
    bodyLimit: config.maxBodyBytes,
    bodyLimits: {
      values: config.maxBodyValues,
      time: config.bodyTimeoutSeconds * 1000,
      idle: config.archiveIdleSeconds * 1000,
    },
    log,
  });
  const { hook } = crossOrigin(config.apiCorsHeader);
  if (hook !== undefined) lifetime.add(surface.use('observe', hook));
  const declare = (router: Router): void => {
    router.options('/*path', (ctx) => {
      ctx.status = 200;
    });
    declareDocument(router, surface);
  };
  surface.routes('engine-api', declare, operations);
  return surface;
}
