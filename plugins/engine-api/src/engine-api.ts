import { version } from '@gantry/core';
import type { Lifetime, Logger } from '@gantry/core/driver';
import { EngineServer, Surface } from '@gantry/core/http';
import type { EngineApiConfig } from './config.js';
import { defaultMaxConnections } from './connection-limit.js';
import { crossOrigin } from './cross-origin.js';
import { DiskPulse } from './disk-pulse.js';
import { DiskWatch } from './disk-watch.js';
import { readListeners } from './listeners.js';
import type { EngineApi } from './service.js';

/** Spec: Versioning. */
const versions = { min: '1.12', max: '1.24' } as const;

export interface EngineApiParts {
  readonly config: EngineApiConfig;
  readonly log: Logger;
  readonly lifetime: Lifetime;
  /** On the disk that changes wait for. */
  readonly directory: string;
}

/** Puts the surface together. Clients are let in by `ready`, when every area has started. */
export function openEngineApi({ config, log, lifetime, directory }: EngineApiParts) {
  const pages = crossOrigin(config.apiCorsHeader);
  const listeners = readListeners(config, pages);
  const surface = new Surface({
    name: 'engine',
    versions,
    headers: { 'Api-Version': versions.max, Server: `Gantry/${version} (linux)`, Ostype: 'linux' },
    bodyLimit: config.maxBodyBytes,
    bodyLimits: {
      values: config.maxBodyValues,
      time: config.bodyTimeoutSeconds * 1000,
      idle: config.archiveIdleSeconds * 1000,
    },
    log,
  });
  if (pages.hook !== undefined) lifetime.add(surface.use('observe', pages.hook));
  const servers: EngineServer[] = [];
  const guards = new Set<readonly string[]>();
  const service: EngineApi = {
    routes: (owner, declare) => surface.routes(owner, declare),
    use: (stage, middleware, { guards: more = [] } = {}) => {
      const remove = surface.use(stage, middleware);
      guards.add(more);
      return () => {
        guards.delete(more);
        remove();
      };
    },
    get guards() {
      return [...guards].flat();
    },
    apiVersion: versions.max,
    minApiVersion: versions.min,
    get addresses() {
      return servers.map((server) => server.address);
    },
  };
  const disk = new DiskWatch({
    pulse: new DiskPulse(directory),
    patience: config.diskTimeoutSeconds,
    readPatience: config.diskReadTimeoutSeconds,
    log,
    *pending() {
      for (const server of servers) yield* server.pending();
    },
    hook: (middleware) => surface.use('translate', middleware),
  });
  if (config.diskTimeoutSeconds > 0) lifetime.add(() => disk.stop());
  const limits = {
    headersTimeout: config.headersTimeoutSeconds * 1000,
    maxHeaderSize: config.maxHeaderBytes,
    maxConnections: config.maxConnections ?? defaultMaxConnections(),
    ...(config.diskTimeoutSeconds > 0 && { onRequest: () => disk.begun() }),
  };
  return {
    service,
    async ready(): Promise<void> {
      for (const { endpoint, admit } of listeners) {
        const server = await EngineServer.start(surface, endpoint, { ...limits, admit });
        lifetime.add(() => server.stop(AbortSignal.abort()));
        servers.push(server);
        log.info({ event: 'api.listening', address: server.address }, 'listening');
      }
    },
    async drain(signal: AbortSignal): Promise<void> {
      await Promise.all(servers.map((server) => server.stop(signal)));
    },
  };
}
