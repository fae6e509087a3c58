import { version } from '@gantry/core';
import type { Lifetime, Logger } from '@gantry/core/driver';
import { EngineServer, Surface } from '@gantry/core/http';
import type { EngineApiConfig } from './config.js';
import { parseHost } from './hosts.js';
import type { EngineApi } from './service.js';

/** Spec: Versioning. */
const versions = { min: '1.12', max: '1.24' } as const;

/** Puts the surface together. Clients are let in by `ready`, when every area has started. */
export function openEngineApi(config: EngineApiConfig, log: Logger, lifetime: Lifetime) {
  const { group, tls } = config;
  const options = {
    mode: config.mode,
    insecureTcp: config.insecureTcp,
    ...(group !== undefined && { group }),
    ...(tls !== undefined && { tls }),
  };
  const endpoints = config.hosts.flatMap((host) => parseHost(host, options));
  const surface = new Surface({
    name: 'engine',
    versions,
    headers: { 'Api-Version': versions.max, Server: `Gantry/${version} (linux)`, Ostype: 'linux' },
    bodyLimit: config.maxBodyBytes,
    log,
  });
  const servers: EngineServer[] = [];
  const service: EngineApi = {
    routes: (owner, declare) => surface.routes(owner, declare),
    use: (stage, middleware) => surface.use(stage, middleware),
    apiVersion: versions.max,
    minApiVersion: versions.min,
    get addresses() {
      return servers.map((server) => server.address);
    },
  };
  const limits = { headersTimeout: config.headersTimeoutSeconds * 1000, maxHeaderSize: config.maxHeaderBytes };
  return {
    service,
    async ready(): Promise<void> {
      for (const endpoint of endpoints) {
        const server = await EngineServer.start(surface, endpoint, limits);
        lifetime.add(() => server.stop(AbortSignal.abort()));
        servers.push(server);
        log.info({ event: 'api.listening', address: server.address }, 'listening');
      }
    },
    async stop(signal: AbortSignal): Promise<void> {
      await Promise.all(servers.map((server) => server.stop(signal)));
    },
  };
}
