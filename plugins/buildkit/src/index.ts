import { BuildService, SessionBuilds } from '@gantry/build/service';
import { StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageArchives, ImageExchange, ImageService } from '@gantry/images/service';
import { RegistryClient } from '@gantry/registry/service';
import { Type } from '@sinclair/typebox';
import { ExportCaches } from './cache/export-caches.js';
import { ImportCaches } from './cache/import-caches.js';
import { ExportResult } from './export/export-result.js';
import { FileExporter } from './export/file-exporter.js';
import { ImageExporter } from './export/image-exporter.js';
import { Front } from './front.js';
import { BuildHistory } from './jobs/build-history.js';
import { BuildJobs } from './jobs/build-jobs.js';
import { BuildKitRoutes } from './routes.js';
import { Services } from './services.js';
import { SessionBuildRoute } from './session-build-route.js';
import { ClientSessions } from './sessions/client-sessions.js';
import { SessionConnections } from './sessions/session-connections.js';
import { BuildSources } from './solve/build-sources.js';
import { CacheRecords } from './solve/cache-records.js';
import { ControlService } from './solve/control-service.js';
import { GatewayService } from './solve/gateway-service.js';
import { HistoryService } from './solve/history-service.js';
import { SolveDockerfile } from './solve/solve-dockerfile.js';
import { SolveSessionBuild } from './solve/solve-session-build.js';

export default definePlugin({
  id: 'buildkit',
  requires: [
    EngineApi,
    StateDrivers,
    BuildService,
    SessionBuilds,
    ImageService,
    ImageExchange,
    ImageArchives,
    RegistryClient,
  ],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(ClientSessions, SessionConnections, BuildJobs, BuildSources, SolveDockerfile);
    container.register(ImportCaches, ExportCaches, FileExporter, ImageExporter, ExportResult);
    container.register(SolveSessionBuild, SessionBuildRoute, CacheRecords);
    container.register(BuildHistory, HistoryService, ControlService, GatewayService, Services, Front);
    return BuildKitRoutes;
  },
});
