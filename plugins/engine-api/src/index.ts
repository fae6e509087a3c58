import { PackageDirectories } from '@gantry/core/driver';
import { Surface } from '@gantry/core/http';
import { definePlugin } from '@gantry/core/plugin';
import { ApiVersions } from './api-versions.js';
import { configSchema } from './config.js';
import { DiskProbe } from './disk-probe.js';
import { DiskWatch } from './disk-watch.js';
import { EngineApiService } from './engine-api-service.js';
import { EngineServers } from './engine-servers.js';
import { Listening } from './listening.js';
import { EngineApi, LocalConnections } from './service.js';
import { createSurface, surfaceDependencies } from './surface.js';

export default definePlugin({
  id: 'engine-api',
  provides: [EngineApi, LocalConnections],
  configSchema,
  setup({ container }) {
    container.registerFactory(Surface, surfaceDependencies, createSurface);
    container.registerFactory(DiskProbe, [PackageDirectories], ({ root }) => new DiskProbe(root));
    container.register(ApiVersions, EngineServers, DiskWatch, EngineApiService);
    container.provide(EngineApi, EngineApiService);
    container.provide(LocalConnections, EngineServers);
    return Listening;
  },
});
